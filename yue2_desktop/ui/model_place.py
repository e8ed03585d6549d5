"""Where the model lies: looked for beside the window, and what is missing said in one calm line with its ways out."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from yue2_desktop import paths
from yue2_desktop.runtime.test_model import TestModelMaking
from yue2_desktop.song.errors import Problem, ProblemKind
from yue2_desktop.ui.background import Background
from yue2_desktop.ui.desk import Desk
from yue2_desktop.ui.models import FoundModels, find_models
from yue2_desktop.ui.notice_queue import Notice, Tone

_KEY = "model"


class ModelPlace(QObject):
    """Belongs to one desk; the folder is that of its preferences. `found` carries FoundModels."""

    found = Signal(object)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent or desk)
        self._desk = desk
        self._background = Background(self)  # making a model takes a while, and songs are opened meanwhile
        self._making: TestModelMaking | None = None
        #: Until it is known what there is; what is asked for meanwhile waits.
        self.is_looking = True
        #: Whether the test model is what renders.
        self.is_test = False
        self._said: FoundModels | None = None
        desk.when_closing(self.close)

    @Slot()
    def look(self) -> None:
        """Looks into the folder of the preferences; `found` tells."""
        self.is_looking = True
        self._desk.background.run(partial(find_models, self._desk.settings.models_folder), self._found)

    @Slot()
    def choose_folder(self) -> None:
        """Asks for the folder with the model."""
        start = self._desk.settings.models_folder
        if start == paths.test_model_folder():
            start = paths.models_folder()
        folder = self._desk.dialogs.folder(self.tr("Folder with the model"), start)
        if folder is None:
            self._said = None
            self.look()
        else:
            self._desk.use_models_folder(folder)

    @Slot()
    def try_test_model(self) -> None:
        """Makes the built-in test model and renders with it from then on."""
        self._said = None
        self._tell(self.tr("Making the test model. It takes about 100 MB on the disk, and a moment."))
        self._making = TestModelMaking(paths.test_model_folder())
        self._background.run(self._making.run, self._made, self._not_made)

    def miss(self, sentence: str) -> None:
        """Somebody wanted to render, and there is no model: said with the ways out beside it."""
        self._tell(sentence, self.tr("Choose a folder…"), self.tr("Try the test model"), "bad")

    def close(self) -> None:
        """Nothing is made any longer."""
        if self._making is not None:
            self._making.stop()
        self._background.close()

    def _made(self, folder: Path) -> None:
        self._making = None
        if self._desk.settings.models_folder == folder:
            self.look()
        else:
            self._desk.use_models_folder(folder)

    def _not_made(self, problem: Problem) -> None:
        self._making = None
        if problem.kind is not ProblemKind.CANCELLED:
            self._said = None
            self._desk.complain(problem.sentence)
            self.look()

    def _found(self, found: FoundModels) -> None:
        self.is_looking = False
        self.is_test = found.is_whole and found.is_test
        self._desk.window.status.set_test_model(in_use=self.is_test)
        if self._making is None and found != self._said:  # what was put away is not said again unasked
            self._said = found
            self._say(found)
        self.found.emit(found)

    def _say(self, found: FoundModels) -> None:
        if found.is_whole and not found.is_test:
            self._desk.window.notices.withdraw(_KEY)
        elif found.is_whole:
            self._tell(self.tr("The test model renders: its sound is noise."), self.tr("Choose a folder…"))
        elif found.model is not None:
            what = self.tr("A model is there, but no audio decoder (YuE2-Vae); put it into the same folder.")
            self._tell(what, self.tr("Choose a folder…"), self.tr("Try the test model"))
        else:
            folder = self._desk.settings.models_folder
            what = self.tr("No model yet: everything but rendering works.")
            if not found.is_folder and folder != paths.models_folder():
                what = self.tr("No model yet: the folder {} does not exist.").format(folder)
            self._tell(what, self.tr("Choose a folder…"), self.tr("Try the test model"))

    def _tell(self, text: str, choose: str = "", test: str = "", tone: Tone = "info") -> None:
        notice = Notice(_KEY, text, tone, choose, self.choose_folder, test, self.try_test_model)
        self._desk.window.notices.tell(notice)
