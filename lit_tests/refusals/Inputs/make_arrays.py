"""Writes data files, right and wrong ones, into the folder that is the first argument."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file


def main(folder: Path) -> None:
    """Write the files; what is wrong with one is in its name."""
    folder.mkdir(parents=True, exist_ok=True)
    words = np.array([1.0, 2.0], np.float64)
    np.save(folder / "right.npy", words)
    np.save(folder / "big_endian.npy", words.astype(">f8"))
    np.save(folder / "fortran.npy", np.asfortranarray(np.ones((2, 3))))
    np.save(folder / "three.npy", np.ones(3))
    np.save(folder / "single.npy", words.astype(np.float32))
    np.save(folder / "integer.npy", np.array([1, 2]))
    np.save(folder / "nan.npy", np.array([1.0, np.nan]))
    np.save(folder / "scalar.npy", np.array(np.inf))
    np.save(folder / "object.npy", np.array([None, 1], object), allow_pickle=True)
    data = (folder / "right.npy").read_bytes()
    (folder / "longer.npy").write_bytes(data + b"\0")
    (folder / "shorter.npy").write_bytes(data[:-1])
    (folder / "text.npy").write_text("1.0 2.0\n")
    (folder / "text.safetensors").write_text("1.0 2.0\n")
    save_file({"w": words, "v": np.ones((2, 1))}, folder / "right.safetensors")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
