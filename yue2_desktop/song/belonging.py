"""Which song a take belongs to, and which of its takes it is."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from yue2_desktop.song.request import require_text


@dataclass(frozen=True)
class SongOfTake:
    """The song that a take is one of: the id of its document, its title then, and the take's number from 1.

    A score that was written alone is no take, and has no number.

    Raises Problem(BAD_REQUEST) for text that no file can hold (half of a character), ValueError for an id that is
    empty or a number below 1: both come from the program.
    """

    id: str
    title: str
    take: int | None = None

    def __post_init__(self) -> None:
        require_text("title", self.title)
        if not self.id or (self.take is not None and self.take < 1):
            raise ValueError(f"a take needs a song and a number from 1, not {self.id!r} and {self.take}")

    def to_json(self) -> dict[str, object]:
        """The member `song` of take.json."""
        return {name: value for name, value in asdict(self).items() if value is not None}
