"""A minimal function for every operation of the code level and every type, by their texts.

Entry: `functions`: the operation, the type, and the text.
"""

from __future__ import annotations

from collections.abc import Iterator

INTEGERS = ("i1", "i8", "i16", "i32", "i64", "index")
FLOATS = ("f32", "f64")
VECTORS = tuple(
    f"vector<{lanes}x{element}>"
    for lanes, element in (
        (2, "f64"), (4, "f64"), (8, "f64"), (4, "f32"), (8, "f32"),
        (2, "i64"), (4, "i64"), (4, "i32"), (16, "i32"),
        (2, "i1"), (4, "i1"),
    )
)  # fmt: skip
FOREIGN = ("f16", "i128", "vector<3xf64>", "vector<2xf32>", "vector<2x2xf64>")
"""Types that no target has registers for."""

TYPES = (*INTEGERS, *FLOATS, *VECTORS, *FOREIGN)

UNARY = (
    "arith.negf", "math.absf", "math.sqrt", "exact.sqrt", "math.ctpop", "math.ctlz", "math.cttz",
)  # fmt: skip
BINARY = (
    *(f"arith.{name}f" for name in ("add", "sub", "mul", "div")),
    *(f"arith.{name}i" for name in ("add", "sub", "mul", "and", "or", "xor", "shl")),
    *(f"arith.{name}" for name in ("shrui", "shrsi", "divui", "divsi", "remui", "remsi")),
    *(f"arith.{name}" for name in ("minui", "maxui", "minsi", "maxsi")),
    *(f"arith.{name}" for name in ("floordivsi", "ceildivsi", "ceildivui")),
    "math.copysign",
)
TERNARY = ("math.fma", "vector.fma")
CONVERSIONS = (
    "arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui",
    "arith.extui", "arith.extsi", "arith.trunci", "arith.index_cast", "arith.bitcast",
)  # fmt: skip
OF_LANES = ("arith.extf", "arith.truncf", "arith.bitcast")
"""Conversions that vectors have."""

EXTENDED = ("arith.addui_extended", "arith.mului_extended", "arith.mulsi_extended")


def element_of(type: str) -> tuple[int, str]:
    """Lanes and element of a type; of one that isn't a vector with one axis, 1 and itself."""
    lanes, _, element = type.removeprefix("vector<").removesuffix(">").partition("x")
    return (int(lanes), element) if type.startswith("vector<") and "x" not in element else (1, type)


def like(type: str, element: str) -> str:
    """A type of as many lanes with another element."""
    lanes, _ = element_of(type)
    return f"vector<{lanes}x{element}>" if type.startswith("vector<") else element


def _function(type: str, operands: int, body: str, result: str) -> str:
    """Operands %a, %b and %c from memory, and the result %v back to it."""
    loads = "".join(
        f"%{name} = ptr_xdsl.load %p : !ptr_xdsl.ptr -> {type}\n" for name in "abc"[:operands]
    )
    store = f"ptr_xdsl.store %v, %p : {result}, !ptr_xdsl.ptr\n" if result else ""
    return f"func.func @f(%p: !ptr_xdsl.ptr) {{\n{loads}{body}\n{store}func.return\n}}\n"


def functions() -> Iterator[tuple[str, str, str]]:
    """Operation, type and text; some texts aren't IR, where an operation doesn't take a type."""
    for type in TYPES:
        for op in UNARY:
            yield op, type, _function(type, 1, f"%v = {op} %a : {type}", type)
        for op in BINARY:
            yield op, type, _function(type, 2, f"%v = {op} %a, %b : {type}", type)
        for op in TERNARY:
            yield op, type, _function(type, 3, f"%v = {op} %a, %b, %c : {type}", type)
        for op in EXTENDED:
            more = f", {like(type, 'i1')}" if op == "arith.addui_extended" else ""
            yield op, type, _function(type, 2, f"%v, %w = {op} %a, %b : {type}{more}", type)
        for op in CONVERSIONS if type not in VECTORS else OF_LANES:
            for element in (*INTEGERS, *FLOATS):
                to = like(type, element)
                body = f"%v = {op} %a : {type} to {to}"
                yield op, f"{type} to {to}", _function(type, 1, body, to)
        for op in ("exact.reciprocal", "exact.divide"):
            body = f"%h, %l, %m = exact.reciprocal %b : {type}\n"
            body += f"%v = exact.divide %a, %b, %h, %l, %m : {type}"
            yield op, type, _function(type, 2, body, type)
        yield from _of_comparisons(type)
        yield from _of_memory(type)
        yield from _of_vectors(type)
        yield from _of_control(type)
    yield from _of_sha256()
    yield from _others()


def _of_comparisons(type: str) -> Iterator[tuple[str, str, str]]:
    truths = like(type, "i1")
    named = f"{truths}, {type}" if type.startswith("vector<") else type
    for op, predicate in (("arith.cmpi", "slt"), ("arith.cmpi", "ne"), ("arith.cmpf", "one")):
        compare = f"%t = {op} {predicate}, %a, %b : {type}\n"
        body = f"{compare}%v = arith.select %t, %a, %b : {named}"
        yield f"{op} {predicate}", f"{type} in a choice", _function(type, 2, body, type)
        if truths == "i1":
            body = f"{compare}%v = arith.extui %t : i1 to i8"
            yield f"{op} {predicate}", type, _function(type, 2, body, "i8")
            body = f"{compare}cf.cond_br %t, ^r, ^r\n^r:"
            yield f"{op} {predicate}", f"{type} in a branch", _function(type, 2, body, "")
    truth = "%t = ptr_xdsl.load %p : !ptr_xdsl.ptr -> i1\n"
    body = f"{truth}%v = arith.select %t, %a, %b : {type}"
    yield "arith.select", type, _function(type, 2, body, type)


def _of_memory(type: str) -> Iterator[tuple[str, str, str]]:
    yield "ptr_xdsl.load", type, _function(type, 1, "", "").replace("func.return", (
        f"ptr_xdsl.store %a, %p : {type}, !ptr_xdsl.ptr\nfunc.return"))  # fmt: skip
    lanes, element = element_of(type)
    word = element if type.startswith("vector<") else type
    zero = "%z = arith.constant 0 : index\n%r = arith.constant 1 : index\n"
    array = f"%m = memref.alloca() : memref<40x{word}>\n"
    if lanes == 1 and type == word:
        body = f"{zero}{array}memref.store %a, %m[%z] : memref<40x{word}>\n"
        body += f"%v = memref.load %m[%r] : memref<40x{word}>"
        yield "memref.load", type, _function(type, 1, body, type)
    else:
        body = f"{zero}{array}vector.store %a, %m[%z] : memref<40x{word}>, {type}\n"
        body += f"%v = vector.load %m[%r] : memref<40x{word}>, {type}"
        yield "vector.load", type, _function(type, 1, body, type)
        truths = like(type, "i1")
        first = ", ".join(["true"] * (lanes - 1) + ["false"])
        mask = f"%k = arith.constant dense<[{first}]> : {truths}\n"
        typed = f"memref<40x{word}>, {truths}, {type}"
        body = f"{zero}{array}{mask}vector.maskedstore %m[%z], %k, %a : {typed}\n"
        body += f"%v = vector.maskedload %m[%r], %k, %a : {typed} into {type}"
        yield "vector.maskedload", type, _function(type, 1, body, type)
    number = "1.5" if "f" in word else "1"
    value = f"dense<{number}>" if type.startswith("vector<") else number
    yield "arith.constant", type, _function(type, 0, f"%v = arith.constant {value} : {type}", type)


def _of_vectors(type: str) -> Iterator[tuple[str, str, str]]:
    lanes, element = element_of(type)
    if lanes == 1:
        return
    body = f"%s = vector.extract %a[{lanes - 1}] : {element} from {type}\n"
    yield (
        "vector.extract",
        type,
        _function(type, 1, body + "%v = arith.constant 1 : i64", "i64").replace(
            "ptr_xdsl.store %v",
            f"ptr_xdsl.store %s, %p : {element}, !ptr_xdsl.ptr\nptr_xdsl.store %v",
        ),
    )
    yield (
        "vector.insert",
        type,
        _function(type, 1, f"{body}%v = vector.insert %s, %a[0] : {element} into {type}", type),
    )
    yield (
        "vector.broadcast",
        type,
        _function(type, 1, f"{body}%v = vector.broadcast %s : {element} to {type}", type),
    )
    turned = list(range(lanes))[::-1]
    body = f"%v = vector.shuffle %a, %b {turned} : {type}, {type}"
    yield "vector.shuffle", type, _function(type, 2, body, type)


def _of_control(type: str) -> Iterator[tuple[str, str, str]]:
    yield "cf.br", type, _function(type, 1, f"cf.br ^b(%a : {type})\n^b(%v: {type}):", type)
    yield "cf.cond_br", type, _function(
        type, 2, "%t = ptr_xdsl.load %p : !ptr_xdsl.ptr -> i1\n"
        f"cf.cond_br %t, ^b(%a : {type}), ^b(%b : {type})\n^b(%v: {type}):", type
    )  # fmt: skip
    switch = f"cf.switch %a : {type}, [\ndefault: ^b,\n1: ^c\n]\n^c:\ncf.br ^b\n^b:"
    yield "cf.switch", type, _function(type, 1, switch, "")
    yield (
        "func.call",
        type,
        (
            f"func.func private @g(%x: {type}) -> {type} {{\nfunc.return %x : {type}\n}}\n"
            + _function(type, 1, f"%v = func.call @g(%a) : ({type}) -> {type}", type)
        ),
    )


def _of_sha256() -> Iterator[tuple[str, str, str]]:
    words = "vector<4xi32>"
    yield "sha256.words", words, _function(words, 1, "%v = sha256.words %a", words)
    body = "%v = sha256.schedule %a, %b, %c, %a"
    yield "sha256.schedule", words, _function(words, 3, body, words)
    body = "%x, %y = sha256.pack %a, %b\n%s, %t = sha256.rounds %x, %y, %c\n"
    body += "%f = sha256.add %x, %s : !sha256.first\n%v, %w = sha256.unpack %f, %t"
    for name in ("pack", "rounds", "add", "unpack"):
        yield f"sha256.{name}", words, _function(words, 3, body, words)


def _others() -> Iterator[tuple[str, str, str]]:
    pointer = "!ptr_xdsl.ptr"
    yield (
        "ptr_xdsl.ptradd",
        pointer,
        _function(
            "i64", 1, f"%v = ptr_xdsl.ptradd %p, %a : ({pointer}, i64) -> {pointer}", pointer
        ),
    )
    yield "hint.prefetch", pointer, _function("", 0, f"hint.prefetch %p[] : {pointer}", "")
    loop = "%z = arith.constant 0 : index\n%o = arith.constant 1 : index\n"
    yield (
        "scf.for",
        "index",
        _function("index", 1, f"{loop}scf.for %i = %z to %a step %o {{\n}}", ""),
    )
    yield "scf.if", "i1", _function("i1", 1, "scf.if %a {\n}", "")
    yield "linux.constant", "i64", _function("i64", 0, '%v = linux.constant "AT_FDCWD"', "i64")
    yield (
        "linux.syscall",
        "i64",
        _function("i64", 0, '%v = linux.syscall "getpid"() : () -> i64', "i64"),
    )
