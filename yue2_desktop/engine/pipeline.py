"""The stages of a song as functions over values: plan, semantic, acoustic, decode (spec yue2, section 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch

from yue2_desktop.engine.ar import ArWeights, PhaseRequest, PhaseTokens, generate
from yue2_desktop.engine.attention_choice import ChosenAttention, fused_attention
from yue2_desktop.engine.cuda.guard import guarded
from yue2_desktop.engine.cuda.paths import CardPaths, card_paths
from yue2_desktop.engine.decoding import decode_latents
from yue2_desktop.engine.decoding_choice import ChosenDecoding
from yue2_desktop.engine.device import Device
from yue2_desktop.engine.flow.acoustic import AcousticRequest, AcousticWeights, SolverState, synthesise
from yue2_desktop.engine.flow.chunks import chunk_ranges
from yue2_desktop.engine.flow.solver import OdeMethod, require_steps
from yue2_desktop.engine.model.head import ABC_VOCABULARY, SEMANTIC_VOCABULARY, PhaseVocabulary
from yue2_desktop.engine.progress import CancelToken, OnProgress, Progress, ProgressReporter, Stage, silent
from yue2_desktop.engine.residency import Residency, ResidencyPolicy
from yue2_desktop.engine.sampling.choose import SampledChoice
from yue2_desktop.engine.sampling.draw import SeededDraw
from yue2_desktop.engine.text.prompt import negative_prefix, score_prefix, semantic_prefix
from yue2_desktop.engine.tokens import CODEC_OFFSET
from yue2_desktop.engine.weights.folders import ModelFiles, VaeFiles
from yue2_desktop.engine.weights.load import WeightReader
from yue2_desktop.engine.weights.reader import Reader, Readers
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.song.limits import FRAMES_PER_SECOND, require_context
from yue2_desktop.song.request import SongRequest
from yue2_desktop.song.sampling import Sampling
from yue2_desktop.song.stages import ScorePlan, SemanticTokens


@dataclass(frozen=True)
class Watch:
    """How a stage reports and is stopped, and what it hands out while it runs.

    `on_token(id, generator_state)` and `on_state(state)` are for a journal: what they get is enough to go on from.
    """

    on_progress: OnProgress = silent
    cancel: CancelToken = CancelToken()  # noqa: RUF009 - a token that nobody holds is never set
    on_token: Callable[[int, bytes], None] | None = None
    on_state: Callable[[SolverState], None] | None = None


@dataclass(frozen=True)
class Resumption:
    """Where a broken token phase stood: the ids drawn so far and the generator behind the last of them."""

    ids: tuple[int, ...]
    generator_state: bytes


class Pipeline:
    """One opened model on one device. Each stage takes the value that the one before it made, or a saved one."""

    def __init__(
        self,
        model: ModelFiles,
        vae: VaeFiles | None,
        device: Device,
        policy: ResidencyPolicy | None = None,
        readers: Readers | None = None,
        paths: Callable[[torch.device, torch.dtype], CardPaths] = card_paths,
        *,
        decoding: Callable[[], ChosenDecoding] | None = None,
        attention: Callable[[], ChosenAttention] | None = None,
        budget: int | None = None,
    ) -> None:
        """Without `policy` each stage has its own parts only; without `readers` all weights are dense, on `device`.

        `paths` says what of a card may be used, and of its memory `budget` bytes at most. `decoding` is asked before
        the weights of tokens are read; without it tokens are decoded as `paths` knows best. `attention` is asked before
        frames are made; without it they attend as the reference does.
        """
        self.model = model
        self.vae = vae
        self.device = device
        self._readers = readers or Readers.same(WeightReader(model.source, model.config, device.dtype, device.device))
        self._residency = Residency(self._readers, policy or ResidencyPolicy())
        self._paths = paths
        self._decoding = decoding
        self._attention = attention or (lambda: fused_attention(self._readers.flow.device))
        self._budget = budget
        #: How the tokens of the last phase were decoded, for take.json.
        self.decoded_by: str | None = None
        #: How the frames of the last acoustic stage attended, for take.json.
        self.attended_by: str | None = None

    def check_plan(self, plan: ScorePlan, semantic: Sampling) -> None:
        """Refuses a plan that does not fit the context, or is not one of this model's tokenizer. Raises Problem."""
        self._require_consistent(plan)
        prefixes = [plan.prefix]
        if plan.request.guidance != 1:
            prefixes.append(negative_prefix(self.model.tokenizer, plan.request, plan.abc_ids))
        for prefix in prefixes:
            require_context("song", len(prefix), semantic.max_tokens, context=self.model.config.context)

    @torch.inference_mode()
    def plan(
        self, request: SongRequest, sampling: Sampling, watch: Watch, *, resumed: Resumption | None = None
    ) -> ScorePlan:
        """The score: sampled, or the supplied one; none in `off` mode. The last two need no model."""
        tokenizer = self.model.tokenizer
        if request.cot == "off" or request.abc is not None:
            ids = tuple(tokenizer.encode(request.abc)) if request.abc is not None else ()
            prefix = semantic_prefix(tokenizer, request, ids)
            return ScorePlan(request, ids, request.abc, prefix, truncated=False, supplied=request.abc is not None)
        prefixes = (score_prefix(tokenizer, request),)
        with self._stage(self._readers.tokens, shares=True):
            made = self._tokens(Stage.SCORE, ABC_VOCABULARY, prefixes, request, sampling, watch, resumed)
        text = tokenizer.decode(made.ids)
        prefix = semantic_prefix(tokenizer, request, made.ids)
        return ScorePlan(request, made.ids, text, prefix, truncated=made.truncated, supplied=False)

    @torch.inference_mode()
    def semantic(
        self, plan: ScorePlan, sampling: Sampling, watch: Watch, *, resumed: Resumption | None = None
    ) -> SemanticTokens:
        """The semantic tokens of a plan. Raises Problem when the plan is not what its request and ids give."""
        self._require_consistent(plan)
        request = plan.request
        prefixes: tuple[tuple[int, ...], ...] = (plan.prefix,)
        if request.guidance != 1:
            prefixes += (negative_prefix(self.model.tokenizer, request, plan.abc_ids),)
        with self._stage(self._readers.tokens):
            made = self._tokens(Stage.SEMANTIC, SEMANTIC_VOCABULARY, prefixes, request, sampling, watch, resumed)
        if not made.ids:
            raise Problem(
                ProblemKind.NON_FINITE,
                "The model ended the song before its first token. The score is kept; try another seed.",
            )
        return SemanticTokens(plan, tuple(token - CODEC_OFFSET for token in made.ids), truncated=made.truncated)

    @torch.inference_mode()
    def acoustic(
        self,
        tokens: SemanticTokens,
        steps: int,
        watch: Watch,
        *,
        method: OdeMethod = OdeMethod.MIDPOINT,
        resumed: SolverState | None = None,
    ) -> np.ndarray:
        """Latents [frames, 64] float32 of semantic tokens, by `steps` midpoint steps (1-64)."""
        require_steps(steps)
        self._require_consistent(tokens.plan)
        request, config = tokens.plan.request, self.model.config
        ranges = chunk_ranges(len(tokens.codec), len(tokens.plan.prefix), config.context, config.max_latent_frames)
        self._residency.leave_tokens()
        on_layer, flow = self._on_layer(Stage.ACOUSTIC, watch), self._readers.flow
        weights = AcousticWeights(
            config=config,
            ar_layers=self._residency.prefill_layers,
            nar_layers=lambda: self._residency.flow_layers(watch.cancel, on_layer),
            flow=flow.flow,
            embed=self._readers.prefill.embedded,
            dtype=flow.dtype,
            device=flow.device,
        )
        already = resumed.chunk * steps + resumed.step if resumed else 0
        reporter = ProgressReporter(Stage.ACOUSTIC, steps * len(ranges), "steps", watch.on_progress, already=already)
        attention = self._attention()
        with self._stage(flow):
            latents = synthesise(
                weights,
                AcousticRequest(tokens.plan.prefix, tokens.codec, request.seed, steps, method),
                reporter,
                watch.cancel,
                attend=attention.attend,
                resumed=resumed,
                on_state=watch.on_state,
            )
        self.attended_by = attention.name
        return _finite_latents(latents).numpy()

    @torch.inference_mode()
    def decode(self, latents: np.ndarray, core: int | None, watch: Watch) -> np.ndarray:
        """Audio [samples, 2] float32 in [-1, 1] at 48 kHz of latents [frames, 64]; see `decode_latents`."""
        if self.vae is None:
            raise Problem(ProblemKind.MODEL_MISSING, "No audio decoder is open. Choose the YuE2-Vae folder (--vae).")
        vae = self.vae
        with self._stage(self._readers.flow, attends=False):
            return decode_latents(
                lambda: self._residency.decoder(vae), vae.config, latents, core, watch.on_progress, watch.cancel
            )

    def release(self) -> None:
        """Gives back the memory of the weights; the next stage loads them again."""
        self._residency.release()

    @contextmanager
    def _stage(self, reader: Reader, *, attends: bool = True, shares: bool = False) -> Iterator[None]:
        """Around a stage: what its device needs, and the weights that lie there."""
        paths = self._paths(reader.device, reader.dtype)
        with guarded(paths, attends=attends, budget=self._budget), self._residency.stage(shares=shares):
            yield

    def _tokens(
        self,
        stage: Stage,
        vocabulary: PhaseVocabulary,
        prefixes: tuple[tuple[int, ...], ...],
        request: SongRequest,
        sampling: Sampling,
        watch: Watch,
        resumed: Resumption | None,
    ) -> PhaseTokens:
        config, reader = self.model.config, self._readers.tokens
        for prefix in prefixes:
            require_context(vocabulary.makes, len(prefix), sampling.max_tokens, context=config.context)
        # Before the weights: a probe needs memory, too.
        decoding = self._decoding() if self._decoding else self._paths(reader.device, reader.dtype).chosen_decoding()
        layers = self._residency.token_layers(watch.cancel, self._on_layer(stage, watch))
        weights = ArWeights(
            config=config,
            layers=layers,
            head=self._residency.head(vocabulary),  # the other phase's rows go before anything else comes
            final_norm=reader.final_norm(),
            embed=reader.embedded,
            dtype=reader.dtype,
            device=reader.device,
        )
        # A fresh generator for each phase, from the request's seed (spec yue2, section 8).
        draw = SeededDraw(request.seed, config.vocab_size, reader.device)
        if resumed is not None:
            draw.restore(resumed.generator_state)
        semantic = stage is Stage.SEMANTIC
        choose = SampledChoice(
            vocabulary, config.vocab_size, sampling, request.guidance if semantic else 1.0, draw, reader.device,
            keep_dtype=semantic and request.cot == "off",
        )  # fmt: skip
        on_token = watch.on_token
        done = resumed.ids if resumed is not None else ()
        reporter = ProgressReporter(stage, sampling.max_tokens, "tokens", watch.on_progress, already=len(done))
        made = generate(
            weights,
            PhaseRequest(prefixes, sampling.max_tokens),
            choose,
            reporter,
            watch.cancel,
            decoding=decoding,
            resumed=done,
            on_token=None if on_token is None else lambda token: on_token(token, draw.state()),
        )
        self.decoded_by = decoding.taken()
        return made

    def _on_layer(self, stage: Stage, watch: Watch) -> Callable[[int, int], None]:
        return lambda done, total: watch.on_progress(Progress(stage, done, total, "layers loaded"))

    def _require_consistent(self, plan: ScorePlan) -> None:
        """A plan must be the one that its request and score ids give with this tokenizer."""
        if plan.prefix != semantic_prefix(self.model.tokenizer, plan.request, plan.abc_ids):
            raise Problem(
                ProblemKind.BAD_FILE,
                "The plan's tokens do not belong to its words and score with this model's tokenizer. "
                "Plan again with this model.",
            )


def _finite_latents(latents: torch.Tensor) -> torch.Tensor:
    bad = (~torch.isfinite(latents)).any(-1).nonzero()
    if len(bad):
        frame = int(bad[0])
        raise Problem(
            ProblemKind.NON_FINITE,
            f"The acoustic stage gave values that are not numbers, from second {frame / FRAMES_PER_SECOND:.1f} on. "
            "The tokens are kept; render the sound again with --dtype float32, or check the model files.",
            frame=frame,
        )
    return latents
