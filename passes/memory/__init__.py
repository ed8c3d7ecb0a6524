"""Parts of the lowering of memory: arrays that a frame can hold, and texts."""
