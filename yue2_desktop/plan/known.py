"""What the engine knows of machine and model: as JSON, kept on the disk, put to use before the engine is there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, TypeVar, get_type_hints

from yue2_desktop.plan.facts import CardUser, GpuFacts, MachineFacts, TorchFacts
from yue2_desktop.plan.shape import ModelShape, VaeShape
from yue2_desktop.plan.weights import GgufFile, Inventory, TypedTensors
from yue2_desktop.song.atomic import write_bytes

_VERSION: Final = 1
_MOST_BYTES: Final = 1 << 20
#: Models and machines whose facts are kept; the oldest go first.
_MOST: Final = 16

T = TypeVar("T")


@dataclass(frozen=True)
class EngineFacts:
    """What the engine's torch sees and the driver's library may not: cards (None: not read), build, fused kernels."""

    gpus: tuple[GpuFacts, ...] | None = None
    torch: TorchFacts | None = None

    def on(self, machine: MachineFacts) -> MachineFacts:
        """A machine as it was read here, with what the engine adds; what is read here goes first, being newer.

        As it was read where the cards are others than those that the engine told of.
        """
        if machine.gpus is None:
            return replace(machine, gpus=self.gpus, torch=self.torch or machine.torch)
        if self.gpus is not None and [gpu.name for gpu in self.gpus] != [gpu.name for gpu in machine.gpus]:
            return machine
        return replace(machine, torch=self.torch or machine.torch)


@dataclass(frozen=True)
class ModelFacts:
    """What an opened model offers the planner."""

    shape: ModelShape
    inventory: Inventory


def facts_json(machine: MachineFacts) -> dict[str, object]:
    """The values of EngineFacts for the machine as the engine's process reads it."""
    gpus = None if machine.gpus is None else [asdict(gpu) for gpu in machine.gpus]
    return {"gpus": gpus, "torch": None if machine.torch is None else asdict(machine.torch)}


def facts_from_json(values: object) -> EngineFacts:
    """EngineFacts of their values. Raises ValueError where they are none."""
    found = _object(values)
    gpus, torch = found.get("gpus"), found.get("torch")
    return EngineFacts(
        None if gpus is None else tuple(_gpu(one) for one in _array(gpus)),
        None if torch is None else _made(TorchFacts, torch),
    )


def model_json(model: ModelFacts) -> dict[str, object]:
    """The values of ModelFacts."""
    return {"shape": asdict(model.shape), "inventory": asdict(model.inventory)}


def model_from_json(values: object) -> ModelFacts:
    """ModelFacts of their values. Raises ValueError where they are none."""
    found = _object(values)
    shape, inventory = _object(found.get("shape")), _object(found.get("inventory"))
    vae = _made(VaeShape, shape.get("vae"))
    ggufs = tuple(_gguf(one) for one in _array(inventory.get("ggufs", [])))
    return ModelFacts(_made(ModelShape, {**shape, "vae": vae}), _made(Inventory, {**inventory, "ggufs": ggufs}))


def cards_key(machine: MachineFacts) -> str:
    """What facts of the engine hold for: these cards with this driver."""
    cards = [f"{gpu.uuid or gpu.name} {gpu.driver}" for gpu in machine.gpus or ()]
    torch = "no torch" if machine.torch is None else f"{machine.torch.version} {machine.torch.cuda}"
    return " | ".join([*cards, "cards unread" if machine.gpus is None else "", torch])


def files_key(*places: Path) -> str:
    """What facts of a model hold for: these folders or files, with the sizes and times of what is in them."""
    parts = []
    for place in places:
        files = sorted(place.iterdir()) if place.is_dir() else [place]
        for file in files:
            found = file.stat()
            parts.append(f"{file} {found.st_size} {found.st_mtime_ns}")
    return " | ".join(parts)


class KnownFacts:
    """A file of facts by their keys; what cannot be read of it is as if it were not there."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def facts(self, key: str) -> EngineFacts | None:
        """Those kept for `key`; what was free then is not told."""
        try:
            known = facts_from_json(self._entries("machines")[key])
        except (KeyError, ValueError):
            return None
        gpus = None if known.gpus is None else tuple(replace(gpu, free_bytes=None, users=None) for gpu in known.gpus)
        return replace(known, gpus=gpus)

    def model(self, key: str) -> ModelFacts | None:
        """Those kept for `key`."""
        try:
            return model_from_json(self._entries("models")[key])
        except (KeyError, ValueError):
            return None

    def keep(self, *, machine: tuple[str, EngineFacts] | None, model: tuple[str, ModelFacts] | None) -> None:
        """Keeps facts with their keys. Raises Problem where the disk does not take them."""
        kept: dict[str, object] = {"version": _VERSION}
        for name, entry in (
            ("machines", None if machine is None else (machine[0], _facts_values(machine[1]))),
            ("models", None if model is None else (model[0], model_json(model[1]))),
        ):
            entries = self._entries(name)
            if entry is not None:
                entries.pop(entry[0], None)
                entries[entry[0]] = entry[1]
            kept[name] = dict(list(entries.items())[-_MOST:])
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(self._file, (json.dumps(kept, indent=1) + "\n").encode("utf-8"))

    def _entries(self, name: str) -> dict[str, object]:
        try:
            if self._file.stat().st_size > _MOST_BYTES:
                return {}
            values = json.loads(self._file.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(values, dict) or values.get("version") != _VERSION:
            return {}
        entries = values.get(name)
        return dict(entries) if isinstance(entries, dict) else {}


def _facts_values(facts: EngineFacts) -> dict[str, object]:
    return facts_json(MachineFacts(gpus=facts.gpus, torch=facts.torch))


def _gpu(values: object) -> GpuFacts:
    found = _object(values)
    users = found.get("users")
    made = None if users is None else tuple(_made(CardUser, user) for user in _array(users))
    return _made(GpuFacts, {**found, "users": made})


def _gguf(values: object) -> GgufFile:
    found = _object(values)
    return _made(GgufFile, {**found, "ar": _typed(found.get("ar")), "nar": _typed(found.get("nar"))})


def _typed(values: object) -> TypedTensors | None:
    if values is None:
        return None
    pairs = [_array(pair) for pair in _array(_object(values).get("counts"))]
    counts = tuple((str(name), number) for name, number in pairs if type(number) is int)
    if not counts or len(counts) != len(pairs):
        raise ValueError("the types of a file are pairs of a name and a number")
    return TypedTensors(counts)


def _made(kind: type[T], values: object) -> T:
    """A dataclass of its fields, each checked by the kind of its value; lists become tuples."""
    found = _object(values)
    hints = get_type_hints(kind)
    taken: dict[str, Any] = {}
    for item in fields(kind):  # type: ignore[arg-type]
        if item.name in found:
            value = found[item.name]
            taken[item.name] = tuple(value) if isinstance(value, list) else value
            _check(item.name, taken[item.name], str(hints[item.name]))
    try:
        return kind(**taken)
    except TypeError as error:
        raise ValueError(str(error)) from error


def _check(name: str, value: object, hint: str) -> None:
    kinds = {"int": int, "str": str, "bool": bool}
    for word, kind in kinds.items():
        if hint in {f"<class '{word}'>", f"{word} | None"} and type(value) is not kind:
            if value is None and hint.endswith("None"):
                return
            raise ValueError(f"{name} is {value!r}")
    if hint.startswith("tuple") and not isinstance(value, tuple) and not (value is None and hint.endswith("None")):
        raise ValueError(f"{name} is {value!r}")
    if "tuple[int" in hint and isinstance(value, tuple) and any(type(one) is not int for one in value):
        raise ValueError(f"{name} is {value!r}")


def _object(values: object) -> Mapping[str, object]:
    if not isinstance(values, Mapping):
        raise ValueError(f"{values!r} is no object")
    return values


def _array(values: object) -> list[Any]:
    if not isinstance(values, list | tuple):
        raise ValueError(f"{values!r} is no list")
    return list(values)
