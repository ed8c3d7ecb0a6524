"""Which arrays a function's frame can hold: of known extents, and one of each at a time.

A frame has one place for each `memref.alloca`. In a loop that place is the array of the turn that
is running, so an array that a later turn still reaches has none.

Refuses: target-unsupported.
Entry: `check_array`, `check_plain`.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import func, memref, ptr, scf, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.ir import Block, Operation, SSAValue, Use

from alpha.ir.dialects.arith_vectors import SelectOp
from alpha.ir.gpu_memory import WORKGROUP
from alpha.ir.refusals import Refusal

_BRANCHES = (scf.IfOp, scf.IndexSwitchOp)
"""What has regions and runs each of them at most once."""

_FOLLOWED = (ptr.ToPtrOp, ptr.FromPtrOp, ptr.PtrAddOp, SelectOp, func.CallOp)
"""What may give on in a result what it is given."""

_ACCESSES = (
    memref.LoadOp,
    memref.StoreOp,
    memref.DimOp,
    vector.LoadOp,
    vector.StoreOp,
    vector.MaskedLoadOp,
    vector.MaskedStoreOp,
    ptr.LoadOp,
    ptr.StoreOp,
)


def check_array(op: memref.AllocaOp) -> None:
    """See that a frame can hold an array.

    Raises:
        Refusal: `target-unsupported`, at the array.
    """
    type = op.memref.type
    assert isinstance(type, MemRefType)
    if op.dynamic_sizes or DYNAMIC_INDEX in type.get_shape():
        wanted = "an array of known extents in the frame of a function"
        raise Refusal("target-unsupported", wanted, str(type), op)
    check_plain(type, op)
    if _is_in_loop(op) and not _stays(op.memref):
        wanted = "an array that is reached in the turn of the loop that has made it alone"
        raise Refusal("target-unsupported", wanted, f"{type}, which is handed on", op)


def check_plain(type: MemRefType, op: Operation) -> None:
    """See that words lie behind one another, in the only memory that there is.

    Raises:
        Refusal: `target-unsupported`, at the operation.
    """
    if not isinstance(type.layout, NoneAttr) or DYNAMIC_INDEX in type.get_shape()[1:]:
        wanted = "memrefs in row-major order whose extents behind the first are known"
        raise Refusal("target-unsupported", wanted, str(type), op)
    if not isinstance(type.memory_space, NoneAttr) and type.memory_space != WORKGROUP:
        wanted = "memrefs without a memory space, or in that of a block of threads"
        raise Refusal("target-unsupported", wanted, str(type), op)


def _is_in_loop(op: Operation) -> bool:
    """Whether an operation may run more than once in a call of its function."""
    block = op.parent
    while block is not None:
        around = block.parent_op()
        if _comes_back(block):
            return True
        if around is None or isinstance(around, func.FuncOp):
            return False
        if not isinstance(around, _BRANCHES):
            return True
        block = around.parent
    return False


def _comes_back(block: Block) -> bool:
    """Whether a block can be reached from its own end."""
    seen: set[Block] = set()
    rest = [block]
    while rest:
        last = rest.pop().last_op
        for successor in () if last is None else last.successors:
            if successor is block:
                return True
            if successor not in seen:
                seen.add(successor)
                rest.append(successor)
    return False


def _stays(array: SSAValue) -> bool:
    """Whether no later turn of a loop can have the array, by another value than this one."""
    seen = {array}
    rest = [array]
    while rest:
        for use in rest.pop().uses:
            given = _given_on(use)
            if given is None:
                return False
            new = [value for value in given if value not in seen and _is_address(value)]
            seen.update(new)
            rest += new
    return True


def _given_on(use: Use) -> Iterable[SSAValue] | None:
    """The values that may be the array because of a use; None if that isn't known."""
    op = use.operation
    if isinstance(op, _ACCESSES):
        stored = isinstance(op, memref.StoreOp) and use.index == 0
        stored = stored or (isinstance(op, ptr.StoreOp) and op.value is op.operands[use.index])
        return None if stored else ()
    if isinstance(op, _FOLLOWED):
        return op.results
    if isinstance(op, func.ReturnOp) or op.name == "linux.syscall":
        return ()
    around = op.parent_op()
    if isinstance(op, scf.YieldOp) and isinstance(around, _BRANCHES):
        return around.results
    return None


def _is_address(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType | ptr.PtrType)
