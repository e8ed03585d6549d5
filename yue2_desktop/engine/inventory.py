"""What an opened model offers the planner: the checkpoint, or the types that a quantised file holds by half."""

from __future__ import annotations

from collections import Counter

from yue2_desktop.engine.weights.folders import ModelFiles
from yue2_desktop.engine.weights.layout import LM_HEAD, Branch, layer_shapes
from yue2_desktop.engine.weights.source import BlockSource
from yue2_desktop.plan.weights import GgufFile, Inventory, TypedTensors


def inventory_of(model: ModelFiles) -> Inventory:
    """The weights of `model` as the planner reads them: by header, no tensor is read.

    A checkpoint can be quantised as it is read, so fewer bits are there, too.
    """
    source = model.source
    if not isinstance(source, BlockSource):
        return Inventory()
    halves = {branch: _types(source, model, branch) for branch in Branch}
    name = model.files[0].name if model.files else model.folder.name
    head = source.block_type(LM_HEAD).name.lower()
    file = GgufFile(name, halves[Branch.AR], halves[Branch.NAR], head)
    return Inventory(checkpoint=False, ggufs=(file,), can_convert=False)


def _types(source: BlockSource, model: ModelFiles, branch: Branch) -> TypedTensors:
    counts: Counter[str] = Counter()
    for index in range(model.config.layers):
        for tensor, shape in layer_shapes(model.config, branch, index).items():
            if len(shape) == 2:
                counts[source.block_type(tensor).name.lower()] += shape[0] * shape[1]
    return TypedTensors(tuple(sorted(counts.items())))
