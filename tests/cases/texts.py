"""The learners of the cases, as text: each says one idea in as few words as it needs.

Entry: `means`, `squares`, `two_sets`, `fields`, `folds`, `contract`, `dense`, `replaced`.

Both `means` and `squares` have a parameter @w that stays as it is, and a state that keeps the mean:
so every way of partitioning has something to partition, and the mean is seen by its bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def dense(values: Sequence[float], shape: Sequence[int] = ()) -> str:
    """Words in row-major order as a literal, each written so that it reads back as the same."""
    return f"dense<{_nested([f'{value:.17e}' for value in values], shape or [len(values)])}>"


def _nested(words: Sequence[str], shape: Sequence[int]) -> str:
    if len(shape) == 1:
        return f"[{', '.join(words)}]"
    size = len(words) // shape[0] if shape[0] else 0
    rows = [_nested(words[row * size : (row + 1) * size], shape[1:]) for row in range(shape[0])]
    return f"[{', '.join(rows)}]"


def contract(groups: Sequence[int], combine: str = "left") -> str:
    """The contract clause of a sum."""
    return f"contract #region.contract<groups = {list(groups)}, combine = {combine}>"


def _declared(owners: str) -> str:
    return f" attributes {{owners = #shard.owners<{owners}>}}" if owners else ""


def means(
    samples: Sequence[float],
    shape: Sequence[int] = (),
    element: str = "f64",
    order: str = "",
    owners: str = "",
) -> str:
    """A learner whose @mean becomes the mean of its samples, which have this shape.

    `samples` has all words, one sample after another. Scalars are observed as "value" as well.
    """
    size = 1
    for extent in shape:
        size *= extent
    count = len(samples) // size if size else 3
    of = f"tensor<{'x'.join(map(str, shape))}x{element}>" if shape else element
    start, none = ("dense<0.5>", "dense<7.0>") if shape else ("0.5", "7.0")
    seen, too = ("", "") if shape else (f', observed "value" : {element}', ", %x")
    return f"""
region.learner @means{_declared(owners)} {{
  region.state @w : {of} = {start}
  region.state @mean : {of} = {none}
  region.samples @data[{count}] : ({of}) = {dense(samples, [count, *shape])}

  pointwise.contribution @itself(%w : {of}) sample(%x : {of}) -> ({of}{seen}) {{
    pointwise.return %x{too}
  }}

  pointwise.update @keep(%w : {of}, %mean : {of}, %g : {of}) -> ({of}, {of}) {{
    pointwise.return %w, %g
  }}

  region.round {{
    %w, %mean = region.read @w, @mean : {of}, {of}
    %sum, %count = pointwise.sum @itself(%w) over @data {order} : {of}
    %g = pointwise.mean %sum, %count
    %w1, %mean1 = pointwise.apply @keep(%w, %mean, %g) : {of}, {of}
    region.advance @w = %w1, @mean = %mean1
  }}
}}
"""


def squares(
    xs: Sequence[float], ys: Sequence[float], element: str = "f64", owners: str = ""
) -> str:
    """The loss (w x - y)^2 at w = 1, observed; its gradient 2 (w x - y) x, whose mean @g keeps."""
    return f"""
region.learner @squares{_declared(owners)} {{
  region.state @w : f64 = 1.0
  region.state @g : f64 = 0.0
  region.samples @data[{len(xs)}] : (f64, f64) = {dense(xs)}, {dense(ys)}

  pointwise.contribution @gradient(%w : f64) sample(%x : f64, %y : f64)
      -> (f64, observed "loss" : f64) {{
    %p = arith.mulf %w, %x : f64
    %r = arith.subf %p, %y : f64
    %d = arith.addf %r, %r : f64
    %g = arith.mulf %d, %x : f64
    %l = arith.mulf %r, %r : f64
    pointwise.return %g, %l
  }}

  pointwise.update @keep(%w : f64, %g : f64) -> (f64, f64) {{
    pointwise.return %w, %g
  }}

  region.round {{
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : f64
    %mean = pointwise.mean %sum, %count
    %w1, %g1 = pointwise.apply @keep(%w, %mean) : f64, f64
    region.advance @w = %w1, @g = %g1
  }}
}}
""".replace("f64", element)


def two_sets(first: Sequence[float], second: Sequence[float], owners: str = "") -> str:
    """A learner of two sets of samples: @one keeps the mean of the first, @other of the second."""
    return f"""
region.learner @two_sets{_declared(owners)} {{
  region.state @w : f64 = 0.5
  region.state @one : f64 = 7.0
  region.state @other : f64 = 9.0
  region.samples @first[{len(first)}] : (f64) = {dense(first)}
  region.samples @second[{len(second)}] : (f64) = {dense(second)}

  pointwise.contribution @itself(%w : f64) sample(%x : f64) -> (f64) {{
    pointwise.return %x
  }}

  pointwise.update @keep(%w : f64, %g1 : f64, %g2 : f64) -> (f64, f64, f64) {{
    pointwise.return %w, %g1, %g2
  }}

  region.round {{
    %w = region.read @w : f64
    %s1, %n1 = pointwise.sum @itself(%w) over @first : f64
    %s2, %n2 = pointwise.sum @itself(%w) over @second : f64
    %g1 = pointwise.mean %s1, %n1
    %g2 = pointwise.mean %s2, %n2
    %w1, %one1, %other1 = pointwise.apply @keep(%w, %g1, %g2) : f64, f64, f64
    region.advance @w = %w1, @one = %one1, @other = %other1
  }}
}}
"""


def folds(words: Sequence[float], weights: Sequence[float], fold: str, order: str) -> str:
    """A learner of samples whose products with the weights are folded, and observed as "dot".

    `words` has all words, one sample after another; `fold` is the order within a sample, `order`
    the contract clause. @last keeps the mean.
    """
    width = len(weights)
    count, of = len(words) // width, f"tensor<{width}xf64>"
    return f"""
region.learner @folded {{
  region.state @w : {of} = {dense(weights)}
  region.state @last : f64 = 0.0
  region.samples @data[{count}] : ({of}) = {dense(words, [count, width])}

  pointwise.contribution @dot(%w : {of}) sample(%x : {of}) -> (f64, observed "dot" : f64) {{
    %p = pointwise.fold add {fold} along [k : {width}] (%a = %w[k], %b = %x[k]) {{
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    }} : f64
    pointwise.return %p, %p
  }}

  pointwise.update @keep(%w : {of}, %g : f64) -> ({of}, f64) {{
    pointwise.return %w, %g
  }}

  region.round {{
    %w = region.read @w : {of}
    %sum, %count = pointwise.sum @dot(%w) over @data {order} : f64
    %g = pointwise.mean %sum, %count
    %w1, %last = pointwise.apply @keep(%w, %g) : {of}, f64
    region.advance @w = %w1, @last = %last
  }}
}}
"""


def replaced(text: str, *edits: tuple[str, str]) -> str:
    """The text with each piece, which stands in it exactly once, replaced by another."""
    for old, new in edits:
        assert text.count(old) == 1, f"{text.count(old)} times {old!r}"
        text = text.replace(old, new)
    return text


Field = tuple[str, int, str]
"""The name of a field, how many words it has, and their type."""


def fields(parts: Sequence[Field], samples: Mapping[str, Sequence[float]]) -> str:
    """A learner of several parameters; @NAME_mean keeps the mean of the samples of @NAME.

    `samples` has all words of each field, one sample after another. States, components and results
    stand in the order of `parts`.
    """
    of = {name: f"tensor<{size}x{element}>" for name, size, element in parts}
    count = len(samples[parts[0][0]]) // parts[0][1]
    states = "\n".join(
        f"  region.state @{name} : {of[name]} = {dense([0.5] * size)}\n"
        f"  region.state @{name}_mean : {of[name]} = {dense([7.0] * size)}"
        for name, size, _ in parts
    )
    data = ", ".join(dense(samples[name], [count, size]) for name, size, _ in parts)
    types = ", ".join(of.values())

    def listed(prefix: str, typed: bool = False) -> str:
        return ", ".join(f"%{prefix}{name}{f' : {of[name]}' * typed}" for name in of)

    divisions = "\n".join(f"    %g_{name} = pointwise.mean %s_{name}, %count" for name in of)
    advanced = ", ".join(f"@{name} = %w1_{name}, @{name}_mean = %m1_{name}" for name in of)
    return f"""
region.learner @fields {{
{states}
  region.samples @data[{count}] : ({types}) = {data}

  pointwise.contribution @itself({listed("w_", True)}) sample({listed("x_", True)}) -> ({types}) {{
    pointwise.return {listed("x_")}
  }}

  pointwise.update @keep({listed("w_", True)}, {listed("g_", True)}) -> ({types}, {types}) {{
    pointwise.return {listed("w_")}, {listed("g_")}
  }}

  region.round {{
    {listed("w_")} = region.read {", ".join(f"@{name}" for name in of)} : {types}
    {listed("s_")}, %count = pointwise.sum @itself({listed("w_")}) over @data : {types}
{divisions}
    {listed("w1_")}, {listed("m1_")} = pointwise.apply @keep({listed("w_")}, {listed("g_")})
      : {types}, {types}
    region.advance {advanced}
  }}
}}
"""
