"""What a GGUF file, or a folder of them, holds, from the headers alone; a file that is no part of YuE2 is named."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from yue2_desktop.cli.inspected import Inspected, file_fact
from yue2_desktop.cli.sizes import in_bytes, in_parameters
from yue2_desktop.engine.weights.gguf_folder import GgufFile, open_gguf, open_gguf_vae, read_gguf_file, yue2_files
from yue2_desktop.engine.weights.gguf_layouts import Part
from yue2_desktop.library.reading import bad_file
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.wording import path_text


def gguf_file(path: Path, *, hashes: bool) -> Inspected:
    """One GGUF. Raises Problem that says what it is when it is no part of YuE2, or damaged."""
    return _inspected(path, [read_gguf_file(path)], hashes=hashes)


def gguf_folder(place: Path, *, hashes: bool) -> Inspected:
    """All GGUF files of YuE2 in a folder. Raises Problem as `gguf_file` does."""
    files = yue2_files(place)
    if not files:
        raise bad_file(place, "holds GGUF files, but none of YuE2; name one of them to see what it is")
    return _inspected(place, files, hashes=hashes)


def _inspected(place: Path, files: list[GgufFile], *, hashes: bool) -> Inspected:
    found = {part for file in files for part in file.layout.parts}
    problem = _problem(place, found)
    kind = f"YuE2 as GGUF: {_parts(found)}"
    tensors = [tensor for file in files for tensor in file.header.tensors.values()]
    types = Counter[str]()
    for tensor in tensors:
        types[tensor.type_name] += tensor.nbytes
    parameters = sum(math.prod(tensor.shape) for tensor in tensors)
    facts = [(file.path.name, _parts(file.layout.parts)) for file in files] if len(files) > 1 else []
    facts += [
        ("layout", ", ".join(sorted({file.layout.letter for file in files}))),
        ("tensors", f"{len(tensors):,}"),
        ("parameters", in_parameters(parameters)),
        ("types", ", ".join(f"{name} {in_bytes(count)}" for name, count in types.most_common())),
    ]
    return Inspected(
        path_text(place),
        kind if problem else f"{kind}, whole",
        tuple(facts),
        tuple(file_fact(file.path, hashes=hashes) for file in files),
        {
            "layouts": sorted({file.layout.letter for file in files}),
            "parts": [str(part) for part in Part if part in found],
            "tensors": len(tensors),
            "parameters": parameters,
            "bytes": sum(tensor.nbytes for tensor in tensors),
            "dtypes": dict(Counter(tensor.type_name for tensor in tensors)),
        },
        () if problem is None else (problem,),
    )


def _parts(parts: Iterable[Part]) -> str:
    return " and ".join(part for part in Part if part in set(parts))


def _problem(place: Path, parts: set[Part]) -> str | None:
    """What keeps it from being used with what lies beside it; None where nothing does."""
    try:
        if parts & {Part.AR, Part.NAR}:
            open_gguf(place)
        if Part.VAE in parts:
            open_gguf_vae(place)
    except Problem as problem:
        return problem.sentence
    return None
