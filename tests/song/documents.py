"""Documents of every shape, for the tests of what is done with them."""

from __future__ import annotations

from hypothesis import strategies as st

from yue2_desktop.song.document import SongDocument
from yue2_desktop.song.document_score import DocumentScore, PlannedScore, ScoreOrigin
from yue2_desktop.song.render_settings import ODE_METHODS, RESIDENCIES, RenderSettings
from yue2_desktop.song.request import COTS, SEED_LIMIT
from yue2_desktop.song.seeds import SeedKind, SeedPolicy

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
SEEDS = st.integers(0, SEED_LIMIT - 1)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
#: Members that no version of this program has.
UNKNOWN = st.dictionaries(TEXTS.map(lambda name: f"later_{name}"), JSON, max_size=3)
PLANS = st.builds(PlannedScore, take=TEXTS, text=TEXTS, asked=TEXTS, seed=SEEDS, truncated=st.booleans(), kept=UNKNOWN)
DOCUMENTS = st.builds(
    SongDocument,
    id=st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,20}", fullmatch=True),
    title=TEXTS,
    style=TEXTS,
    lyrics=TEXTS,
    cot=st.sampled_from(COTS),
    seed=st.builds(SeedPolicy, kind=st.sampled_from(SeedKind), value=SEEDS, kept=UNKNOWN),
    score=st.none()
    | st.builds(
        DocumentScore,
        text=TEXTS,
        origin=st.sampled_from(ScoreOrigin),
        plan=st.none() | PLANS,
        source=TEXTS,
        kept=UNKNOWN,
    ),
    abc_sampling=st.fixed_dictionaries({}, optional={"temperature": st.floats(0, 5), "top_k": st.integers(1, 500)}),
    semantic_sampling=st.fixed_dictionaries({}, optional={"top_p": st.floats(0.1, 1)}),
    cfg_scale=st.none() | st.floats(0, 20),
    render=st.builds(
        RenderSettings,
        mode=st.sampled_from(["auto", "bf16"]),
        ar_precision=st.sampled_from(["auto", "q8_0"]),
        nar_residency=st.sampled_from(RESIDENCIES),
        ode_steps=st.integers(1, 64),
        ode_method=st.sampled_from(ODE_METHODS),
        vae_core=st.none() | st.integers(1, 24_576),
        max_frames=st.none() | st.integers(1, 24_576),
        kept=UNKNOWN,
    ),
    notes=TEXTS,
    kept=UNKNOWN,
)
