"""Opening data files: `.npy`, and tensors of `.safetensors`.

Invariant: an array that is returned has exactly the shape and element type that the IR declares,
    in row-major order and native byte order; its words are the file's, bit for bit.
Why: nothing but `run`, `build`, `verify` and `inspect` opens data files, and all do it here.
Refuses: region-data-file, region-data-extent.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from xdsl.ir import Attribute, Operation

from alpha.ir.attributes.region import FileAttr
from alpha.ir.refusals import Refusal
from alpha.ir.regular_files import open_regular
from alpha.ir.shapes import element_name, shape_of, type_text

NUMPY_TYPES = {"f32": np.dtype("<f4"), "f64": np.dtype("<f8")}
"""The type of an array of words, by element type."""


def load_words(source: FileAttr, type: Attribute, folder: Path, at: Operation) -> np.ndarray:
    """The words of a data file, as an array of the declared shape and type.

    `folder` is what the path is relative to.

    Raises:
        Refusal: `region-data-file` (not such a file, or no such tensor), `region-data-extent`.
        OSError: the file can't be opened or read.
    """
    path = folder / source.path.data
    array = _open_npy(path, source, at) if not source.key.data else _open_tensor(path, source, at)
    wanted_shape, wanted_type = shape_of(type), NUMPY_TYPES[element_name(type)].name
    if array.dtype.name != wanted_type or tuple(array.shape) != wanted_shape:
        found = f"{array.dtype.name} {list(array.shape)}"
        wanted = f"{wanted_type} {list(wanted_shape)} in {source} for {type_text(type)}"
        raise Refusal("region-data-extent", wanted, found, at)
    return array.astype(array.dtype.newbyteorder("="), order="C", copy=False)


def _open_npy(path: Path, source: FileAttr, at: Operation) -> np.ndarray:
    with open_regular(path) as file:
        try:
            array = np.lib.format.read_array(file, allow_pickle=False)
        except (ValueError, EOFError, SyntaxError, TypeError, MemoryError, OverflowError) as error:
            if "allow_pickle" in str(error):
                # What numpy says of an array whose elements would run as a program when loaded.
                wanted = f"float32 or float64 words in {source}"
                raise Refusal("region-data-file", wanted, "Python objects", at) from None
            found = f"{source}: {str(error).splitlines()[0] if str(error) else 'no such format'}"
            raise Refusal("region-data-file", "an array in .npy format", found, at) from None
        if file.read(1):
            raise Refusal("region-data-file", f"the end of {source}", "further bytes", at)
    return array


def _open_tensor(path: Path, source: FileAttr, at: Operation) -> np.ndarray:
    from safetensors import SafetensorError, safe_open

    with open_regular(path):
        # Opened once by hand, so that a missing file is an OSError like any other.
        key = source.key.data
    try:
        with safe_open(str(path), framework="numpy") as tensors:
            names = sorted(tensors.keys())
            if key in names:
                return tensors.get_tensor(key)
    except (SafetensorError, ValueError, TypeError, KeyError) as error:
        found = f"{source.path.data}: {error}"
        raise Refusal("region-data-file", "tensors in .safetensors format", found, at) from None
    wanted = f"one of the tensors {', '.join(names) or '(none)'}"
    raise Refusal("region-data-file", wanted, f"{key!r} of {source.path.data}", at)
