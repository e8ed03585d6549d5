"""Where a file is to be saved: asked with its ending, so that no file is replaced without a question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QWidget

from yue2_desktop.ui.dialogs.question import Answer, QuestionDialog

_Role = QDialogButtonBox.ButtonRole
_REPLACE, _STAY = "replace", "stay"

#: may_replace(path): whether the user lets go of the file that is there.
MayReplace = Callable[[Path], bool]


def ask_where_to_save(parent: QWidget, heading: str, suggested: Path, kind: str, suffix: str) -> Path | None:
    """The file that the user chose, with the ending `suffix` (".mid"); None if they did not.

    `kind` names such files in the dialog. The system asks before it replaces a file, and this does where the name was
    completed after the system asked.
    """
    dialog = QFileDialog(parent, heading, str(suggested.parent), f"{kind} (*{suffix})")
    try:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setDefaultSuffix(suffix.removeprefix("."))
        dialog.selectFile(suggested.name)
        if dialog.exec() != QDialog.DialogCode.Accepted or not dialog.selectedFiles():
            return None
        chosen = Path(dialog.selectedFiles()[0])
    finally:
        dialog.deleteLater()
    return completed(chosen, suffix, lambda path: _may_replace(parent, path))


def completed(chosen: Path, suffix: str, may_replace: MayReplace) -> Path | None:
    """`chosen` with the ending; None where that is another file, which is there and must stay."""
    if chosen.name.lower().endswith(suffix):
        return chosen
    path = chosen.with_name(chosen.name + suffix)
    return path if not path.exists() or may_replace(path) else None


def _may_replace(parent: QWidget, path: Path) -> bool:
    dialog = QuestionDialog(
        _tr("“{}” is there already. Replace it?").format(path.name),
        _tr("What the file holds now is lost then."),
        (Answer(_REPLACE, _tr("Replace"), _Role.DestructiveRole), Answer(_STAY, _tr("Cancel"), _Role.RejectRole)),
        usual=_STAY,
        careful=_STAY,
        parent=parent,
    )
    try:
        dialog.exec()
        return dialog.answer == _REPLACE
    finally:
        dialog.deleteLater()


def _tr(text: str) -> str:
    return QCoreApplication.translate("Saving", text)
