"""What the tests of the card's paths share: the test model's weights of the semantic phase."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from yue2_desktop.engine.ar import ArWeights
from yue2_desktop.engine.model.head import SEMANTIC_VOCABULARY
from yue2_desktop.engine.weights.layout import Branch
from yue2_desktop.engine.weights.load import WeightReader


@pytest.fixture(scope="session")
def ar_weights(reader: Callable[[str], WeightReader]) -> Callable[[str], ArWeights]:
    """The AR half of the test model in the dtype "fp32" or "bf16", on the CPU."""

    def made(name: str) -> ArWeights:
        source = reader(name)
        with torch.inference_mode():
            return ArWeights(
                config=source.config,
                layers=[source.layer(Branch.AR, index) for index in range(source.config.layers)],
                final_norm=source.final_norm(),
                head=source.head(SEMANTIC_VOCABULARY),
                embed=source.embedded,
                dtype=source.dtype,
                device=source.device,
            )

    return made
