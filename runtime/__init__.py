"""What every executable contains, written in IR: sockets, frames, digests, files."""
