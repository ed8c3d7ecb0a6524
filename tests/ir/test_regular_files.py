"""Files are opened to be read; what isn't one is said at once, and nobody waits for it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from alpha.ir.regular_files import open_regular


def test_a_file_and_a_link_to_it(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"words")
    link.symlink_to(path)
    for each in (path, str(path), link):
        with open_regular(each) as stream:
            assert stream.read() == b"words"


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    before = len(os.listdir("/proc/self/fd"))
    for path, number in (
        (pipe, errno.EINVAL),
        (Path("/dev/null"), errno.EINVAL),
        (tmp_path, errno.EISDIR),
        (tmp_path / "none", errno.ENOENT),
    ):
        with pytest.raises(OSError) as failed:
            open_regular(path)
        assert (failed.value.errno, failed.value.filename) == (number, str(path))
    assert len(os.listdir("/proc/self/fd")) == before
