"""A graphics card of any size that computes shapes only: the true code runs on it at full size, without memory.

Its device is torch's `meta`. The same can be had of `FakeTensorMode` with a private device, at twenty times the time; a
test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from metering.storages import Arguments, Options, StorageMeter, aten

CARD = torch.device("meta")

#: Composite operations that are taken whole: what they are made of makes nothing more, on any device.
_WHOLE = frozenset({
    aten.linear.default, aten.conv1d.default, aten.conv_transpose1d.default, aten.square.default, aten.square_.default,
    aten.to.dtype,
})  # fmt: skip
#: Composites that look at memory in another way and never copy it.
_PURE_VIEWS = frozenset({aten.chunk.default, aten.tensor_split.indices, aten.numpy_T.default})
#: Operations that may carry values between host and card.
_COPIES = frozenset({aten.copy_.default, aten._to_copy.default})
_COMPOSITE = torch._C.DispatchKey.CompositeImplicitAutograd

#: What an operation makes of such arguments, learnt the first time: an empty tensor like it, or which argument it
#: gives back (the first, or `out`). Working shapes out anew for every row block of every layer would take minutes.
_made: dict[object, Callable[[], torch.Tensor]] = {}
_given: dict[object, int | str] = {}
_kinds: dict[Any, str] = {}


class FakeCard(StorageMeter):
    """The card and its allocator. `capacity` bytes can be live; one more raises torch.OutOfMemoryError.

    What is copied to the host arrives as ones. An operation on tensors of both sides is an AssertionError.
    """

    def __init__(self, capacity: int | None = None) -> None:
        super().__init__(CARD.type)
        self.capacity = capacity

    def allocating(self, size: int) -> None:
        if self.capacity is not None and self.device.live + size > self.capacity:
            raise torch.OutOfMemoryError(f"CUDA out of memory. Tried to allocate {size} bytes.")

    def compute(self, func: Any, args: Arguments, kwargs: Options) -> Any:
        kind = _kinds.get(func) or _kinds.setdefault(func, _kind(func))
        if kind == "view":
            return func(*args, **kwargs)
        if kind == "composite":
            with self:
                return func.decompose(*args, **kwargs)
        key = (func, *map(_described, args), *map(_described, kwargs.values()), *kwargs)
        place = _given.get(key)
        if place is not None:
            return args[0] if place == 0 else kwargs[place]
        made = _made.get(key)
        if made is not None:
            out = made()
            self.count_tensor(out)
            return out
        out = _compute(func, args, kwargs)
        self.count(out)
        if isinstance(out, torch.Tensor) and out.device == CARD:
            if out is kwargs.get("out"):
                _given[key] = "out"
            elif args and out is args[0]:
                _given[key] = 0
            elif kind == "makes":
                _made[key] = partial(torch.empty_strided, out.shape, out.stride(), dtype=out.dtype, device=CARD)
        return out


def _compute(func: Any, args: Arguments, kwargs: Options) -> Any:
    sides = {tensor.device.type for tensor in (*args, *kwargs.values()) if isinstance(tensor, torch.Tensor)}
    if func in _COPIES and sides == {CARD.type, "cpu"} and args[0].device.type == "cpu":
        return args[0]  # onto the host, in place
    if (
        func is aten._to_copy.default
        and sides == {CARD.type}
        and torch.device(kwargs.get("device", CARD)).type == "cpu"
    ):
        return torch.ones(args[0].shape, dtype=kwargs.get("dtype") or args[0].dtype)
    assert len(sides) < 2 or func in _COPIES, f"{func} on tensors of the card and of the host"
    return func(*args, **kwargs)


def _kind(func: Any) -> str:
    """`view`: new memory is never made. `composite`: made of other operations, which are seen one by one."""
    composite = func.has_kernel_for_dispatch_key(_COMPOSITE) and func not in _WHOLE
    if func.is_view and func not in _WHOLE and not (composite and func not in _PURE_VIEWS):
        return "view"
    if composite:
        return "composite"
    return "changes" if func._schema.is_mutable else "makes"


def _described(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.shape, value.stride(), value.dtype, value.is_meta
    if isinstance(value, tuple | list):
        return tuple(map(_described, value))
    return value
