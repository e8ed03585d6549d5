"""What can go wrong, as a closed list of kinds; every error that a user may see is a `Problem`."""

from __future__ import annotations

from enum import StrEnum


class ProblemKind(StrEnum):
    """The kinds of failure that the program tells apart (design: words for errors)."""

    BAD_REQUEST = "bad-request"
    BAD_SCORE = "bad-score"
    BAD_FILE = "bad-file"
    OUTPUT_EXISTS = "output-exists"
    CONTEXT_OVERFLOW = "context-overflow"
    MODEL_MISSING = "model-missing"
    MODEL_DAMAGED = "model-damaged"
    DOES_NOT_FIT = "does-not-fit"
    OUT_OF_MEMORY = "out-of-memory"
    DRIVER_TOO_OLD = "driver-too-old"
    TORCH_WITHOUT_GPU = "torch-without-gpu"
    UNSUPPORTED = "unsupported"
    NON_FINITE = "non-finite"
    DISK_FULL = "disk-full"
    DEVICE_LOST = "device-lost"
    CANCELLED = "cancelled"
    ENGINE_DIED = "engine-died"


#: Kinds that are the user's to mend before anything is computed; the command line exits with 2 for these.
USER_MISTAKES = frozenset({
    ProblemKind.BAD_REQUEST,
    ProblemKind.BAD_SCORE,
    ProblemKind.BAD_FILE,
    ProblemKind.OUTPUT_EXISTS,
    ProblemKind.CONTEXT_OVERFLOW,
    ProblemKind.MODEL_MISSING,
    ProblemKind.MODEL_DAMAGED,
    ProblemKind.UNSUPPORTED,
})


class Problem(Exception):  # noqa: N818 - "problem" is the word the whole program uses
    """A failure with its kind, one clear sentence (the place and the cure) and the data behind it.

    `data` holds plain values only (str, int, float, bool, None, lists of these), so that a problem can cross
    the line between the engine process and the window.
    """

    def __init__(self, kind: ProblemKind, sentence: str, **data: object) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.sentence = sentence
        self.data = data

    @property
    def is_users_mistake(self) -> bool:
        """Whether the cure lies in what the user gave, rather than in the machine or the program."""
        return self.kind in USER_MISTAKES
