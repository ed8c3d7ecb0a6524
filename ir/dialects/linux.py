"""The `linux` dialect: system calls and what they take, the same on every target.

    %flags = linux.constant "O_CLOEXEC"
    %at, %bytes = linux.text "no such role\\n"
    %n = linux.syscall "write"(%fd, %at, %bytes) : (i64, !ptr_xdsl.ptr, i64) -> i64

A call gives what the kernel gives: a result, or an error from -4095 to -1. Numbers of calls and
values of constants differ between targets, so the code level says their names.

Refuses: target-unsupported, source-structure.
Entry: `LINUX`, `SyscallOp`, `ConstantOp`, `TextOp`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr, i64
from xdsl.dialects.ptr import PtrType
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from alpha.ir.linux.calls import CALLS
from alpha.ir.linux.constants import CONSTANTS
from alpha.ir.refusals import Refusal


@irdl_op_definition
class SyscallOp(IRDLOperation):
    """A system call by its name."""

    name = "linux.syscall"
    call = prop_def(StringAttr)
    arguments = var_operand_def()
    result = result_def(i64)
    assembly_format = "$call `(` $arguments `)` attr-dict `:` functional-type(operands, results)"

    def __init__(self, call: str, arguments: Sequence[SSAValue]) -> None:
        super().__init__(
            operands=[list(arguments)], result_types=[i64], properties={"call": StringAttr(call)}
        )

    def verify_(self) -> None:
        name = self.call.data
        if name not in CALLS:
            wanted = f"one of the system calls {', '.join(CALLS)}"
            raise Refusal("target-unsupported", wanted, name, self)
        count = CALLS[name][1]
        if len(self.arguments) != count:
            wanted = f"{count} arguments of {name}"
            raise Refusal("source-structure", wanted, str(len(self.arguments)), self)
        for value in self.arguments:
            if value.type != i64 and not isinstance(value.type, PtrType):
                wanted = f"i64 or !ptr_xdsl.ptr as an argument of {name}"
                raise Refusal("source-structure", wanted, str(value.type), self)


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """The value that a name of the C headers has on the target."""

    name = "linux.constant"
    constant = prop_def(StringAttr)
    result = result_def(i64)
    traits = traits_def(Pure())
    assembly_format = "$constant attr-dict"

    def __init__(self, constant: str) -> None:
        super().__init__(result_types=[i64], properties={"constant": StringAttr(constant)})

    def verify_(self) -> None:
        if self.constant.data not in CONSTANTS:
            wanted = f"one of the constants {', '.join(CONSTANTS)}"
            raise Refusal("target-unsupported", wanted, self.constant.data, self)


@irdl_op_definition
class TextOp(IRDLOperation):
    """The address of a text, which nobody may change, and the number of its bytes in UTF-8."""

    name = "linux.text"
    text = prop_def(StringAttr)
    address = result_def(PtrType)
    size = result_def(i64)
    traits = traits_def(Pure())
    assembly_format = "$text attr-dict"

    def __init__(self, text: str) -> None:
        super().__init__(result_types=[PtrType(), i64], properties={"text": StringAttr(text)})

    @property
    def content(self) -> bytes:
        """The bytes."""
        return self.text.data.encode("utf-8")

    @property
    def symbol(self) -> str:
        """The name of the bytes in the module: equal texts have one."""
        return f"text.{hashlib.sha256(self.content).hexdigest()[:16]}"


LINUX = Dialect("linux", [SyscallOp, ConstantOp, TextOp], [])
