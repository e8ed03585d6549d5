"""Counts what tensors take on a device: each storage once, from the operation that makes it until it is freed."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

aten = torch.ops.aten
#: The step in which CUDA's caching allocator hands out memory.
CUDA_GRAIN = 512

Arguments = tuple[Any, ...]
Options = dict[str, Any]


class Tally:
    """Live bytes of one kind of device, and the most there were since `begin`."""

    def __init__(self) -> None:
        self.live = 0
        self.peak = 0

    def begin(self) -> None:
        """A stage begins: what it finds counts with its first own allocation, since it may be about to let it go."""
        self.peak = 0

    def add(self, size: int) -> None:
        self.live += size
        self.peak = max(self.peak, self.live)


class StorageMeter(TorchDispatchMode):
    """Watches every operation; `device` are the bytes on devices of `device_type`, `host` those on the CPU.

    The two are one where the device is the CPU. Sizes are rounded up to `grain`. Fused attention is taken to be what
    every supported build has: it makes its output and the float32 log-sum-exp of each row. A call with a mask or with
    the grouped option is an AssertionError, since on some builds it falls to a path that holds the whole score matrix.
    """

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Torch would else put a guard of its compiler around every call, and import the compiler for it."""
        return False

    def __init__(self, device_type: str, *, grain: int = CUDA_GRAIN) -> None:
        super().__init__()
        self.device_type = device_type
        self.grain = grain
        self.device = Tally()
        self.host = self.device if device_type == "cpu" else Tally()
        self.attention_calls = 0
        #: Storages alive on the device: bytes by the address of the storage object.
        self.sizes: dict[int, int] = {}
        #: All sizes that storages of the device ever had.
        self.sizes_ever: set[int] = set()
        #: on_free(address) just before a storage of the device is forgotten.
        self.on_free: Callable[[int], None] | None = None
        self._host_sizes: dict[int, int] = {}
        self._watched: dict[int, weakref.ref[Any]] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Arguments = (), kwargs: Options | None = None) -> Any:
        if func is aten.scaled_dot_product_attention.default:
            return self._fused_attention(*args, **(kwargs or {}))
        return self.compute(func, args, kwargs or {})

    def compute(self, func: Any, args: Arguments, kwargs: Options) -> Any:
        """The operation itself, its result counted."""
        out = func(*args, **kwargs)
        self.count(out)
        return out

    def count(self, out: Any) -> None:
        """Counts the storages of a result (a tensor, or a sequence of them) that were not there before."""
        if isinstance(out, torch.Tensor):
            self.count_tensor(out)
        elif isinstance(out, list | tuple):
            for part in out:
                self.count(part)

    def count_tensor(self, tensor: torch.Tensor) -> None:
        """Counts the storage of a tensor if it was not there before."""
        kind = tensor.device.type
        if kind == self.device_type:
            sizes, tally, freed = self.sizes, self.device, self._freed
        elif kind == "cpu":
            sizes, tally, freed = self._host_sizes, self.host, self._freed_on_host
        else:
            raise AssertionError(f"a tensor on '{kind}': neither the card nor the host")
        storage = tensor.untyped_storage()
        address = storage._cdata
        if address in sizes:
            return
        size = -(-storage.nbytes() // self.grain) * self.grain
        if kind == self.device_type:
            self.allocating(size)
            self.sizes_ever.add(size)
        sizes[address] = size
        self._watched[address] = weakref.ref(storage, lambda _reference: freed(address))
        tally.add(size)

    def allocating(self, size: int) -> None:
        """Called before `size` bytes more are live on the device."""

    def _freed(self, address: int) -> None:
        if self.on_free is not None:
            self.on_free(address)
        del self._watched[address]
        self.device.live -= self.sizes.pop(address)

    def _freed_on_host(self, address: int) -> None:
        del self._watched[address]
        self.host.live -= self._host_sizes.pop(address)

    def _fused_attention(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        attn_mask: torch.Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        *,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> torch.Tensor:
        assert attn_mask is None, "attention was given a mask"
        assert not enable_gqa, "attention was given the grouped option"
        assert dropout_p == 0
        assert scale is None
        assert query.shape[:2] == key.shape[:2] == value.shape[:2], "keys and values must not need to be expanded"
        assert not is_causal or query.shape[2] == key.shape[2]
        self.attention_calls += 1
        log_sum_exp = torch.zeros(query.shape[:-1], dtype=torch.float32, device=query.device)
        self.count(log_sum_exp)
        out = torch.zeros((*query.shape[:-1], value.shape[-1]), dtype=query.dtype, device=query.device)
        self.count(out)
        return out
