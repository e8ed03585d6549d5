"""What lies on the desk when the window opens: the song of the last time, or an example."""

from __future__ import annotations

from yue2_desktop import paths
from yue2_desktop.intake.request_song import load_examples
from yue2_desktop.song.errors import Problem
from yue2_desktop.song.project_file import load_project
from yue2_desktop.ui.desk import Desk


def lay_out_first_song(desk: Desk) -> None:
    """Opens the song that was open last; where there is none, or it cannot be read, an example is shown."""
    path = desk.remembered.song()
    if path is not None:
        try:
            project = load_project(path)
        except Problem as problem:
            desk.complain(problem.sentence)
        else:
            desk.session.load(project.document, project.path, mark=project.mark)
            return
    for example in load_examples(paths.resources() / "examples")[:1]:
        desk.documents.begin_with(example)
