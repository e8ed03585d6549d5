"""Attention of one decoded row as weighted sums of table rows, for a CPU: torch's embedding bags read float16 tables
at the speed of memory, which its attention for a single row does not (memory-and-speed, section 5).

Scores are sums over channels, so a row of the key table is one channel of 128 tokens; outputs are sums over tokens, so
a row of the value table is one token. Sums and softmax are float32. It is not bit-equal to the attention of the
prefill: against float32 it errs by 6e-4, where bf16 attention errs by 2.5e-3.
"""

from __future__ import annotations

import math

import torch

from yue2_desktop.engine.model.kv_cache import KVCache

#: Tokens in a row of the key table. Tables and indices grow by so many.
CHUNK = 128
#: Queries are scaled by this before they become float16, exactly, so that scores stay in its range; the rest of
#: 1 / sqrt(d) follows in float32.
_FIRST_SCALE = 0.125


class RowSumCache:
    """The keys and values of one sequence in float16, as tables for sums of rows.

    keys [layers, kv_heads, chunks, d, 128], values [layers, kv_heads, chunks * 128, d]; memory of chunks that were not
    reached is not touched.
    """

    def __init__(self, cache: KVCache, heads: int) -> None:
        """Takes over what a prefill left in `cache`; there is room for as many tokens as there."""
        layers, kv_heads, capacity, d = cache.keys.shape
        self._heads, self._kv_heads, self._d = heads, kv_heads, d
        self._chunks = -(-capacity // CHUNK)
        self._keys = torch.empty(layers, kv_heads, self._chunks, d, CHUNK, dtype=torch.float16)
        self._values = torch.empty(layers, kv_heads, self._chunks * CHUNK, d, dtype=torch.float16)
        self._last_scale = 1 / (_FIRST_SCALE * math.sqrt(d))
        self.length = cache.length
        self._used = 0
        while self._used < -(-self.length // CHUNK):
            self._open_chunk()
        for layer in range(layers):
            self._fill(layer, *cache.layer(layer))
        self._index()

    @property
    def nbytes(self) -> int:
        return self._keys.nbytes + self._values.nbytes

    def make_room(self) -> None:
        """Before the keys and values of a token are put: opens the chunk that it begins."""
        if self.length == self._used * CHUNK:
            self._open_chunk()
            self._index()
        self._mask[self.length] = 0.0

    def put(self, layer: int, keys: torch.Tensor, values: torch.Tensor) -> None:
        """The next token's keys and values [kv_heads, d] in one layer."""
        chunk, place = divmod(self.length, CHUNK)
        self._keys[layer, :, chunk, :, place] = keys
        self._values[layer, :, self.length] = values

    def advance(self) -> None:
        """After all layers have put theirs and were attended to."""
        self.length += 1

    def attend(self, layer: int, q: torch.Tensor) -> torch.Tensor:
        """q [heads, d] sees all tokens, the one that was put last among them -> [heads, d] in float16."""
        weights = (q * _FIRST_SCALE).half().unsqueeze(1).expand(-1, self._used, -1).reshape(-1)
        scores = _sums(self._keys[layer].view(-1, CHUNK), *self._key_rows, weights)
        shares = scores.view(self._heads, -1).float().mul_(self._last_scale).add_(self._mask).softmax(-1)
        return _sums(self._values[layer].view(-1, self._d), *self._value_rows, shares.half().view(-1))

    def _open_chunk(self) -> None:
        # Whatever lies in fresh memory is multiplied by zero: it must be finite.
        self._keys[:, :, self._used] = 0
        self._values[:, :, self._used * CHUNK : (self._used + 1) * CHUNK] = 0
        self._used += 1

    def _fill(self, layer: int, keys: torch.Tensor, values: torch.Tensor) -> None:
        self._values[layer, :, : self.length] = values
        for chunk in range(self._used):
            part = keys[:, chunk * CHUNK : (chunk + 1) * CHUNK]
            self._keys[layer, :, chunk, :, : part.shape[1]] = part.transpose(1, 2)

    def _index(self) -> None:
        """The rows that are summed, the same in all layers: int32 indices and the beginning of each sum."""
        used, d, tokens = self._used, self._d, self._used * CHUNK
        kv_head = torch.arange(self._heads) // (self._heads // self._kv_heads)
        channels = torch.arange(used * d) + kv_head[:, None] * (self._chunks * d)
        self._key_rows = (channels.view(-1).int(), torch.arange(0, self._heads * used * d, d, dtype=torch.int32))
        places = torch.arange(tokens) + kv_head[:, None] * (self._chunks * CHUNK)
        self._value_rows = (places.view(-1).int(), torch.arange(0, self._heads * tokens, tokens, dtype=torch.int32))
        self._mask = torch.full((tokens,), float("-inf"))
        self._mask[: self.length] = 0.0


def _sums(table: torch.Tensor, rows: torch.Tensor, starts: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """For each stretch of `rows` that begins at a start, the sum of these table rows, each times its weight."""
    summed: torch.Tensor = torch.embedding_bag(table, rows, starts, False, 0, False, weights, False, None)[0]
    return summed
