"""The player at the foot of the window: what plays, where it is, its loop, how loud, and on which device."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from yue2_desktop.audio.device_sink import DeviceSink
from yue2_desktop.library.soundings import Sounding
from yue2_desktop.ui.player.device_button import DeviceButton
from yue2_desktop.ui.player.loop_button import LoopButton
from yue2_desktop.ui.player.opening import MakeSink
from yue2_desktop.ui.player.playable import Playable, Trouble
from yue2_desktop.ui.player.playback import Playback
from yue2_desktop.ui.player.strip import WaveStrip
from yue2_desktop.ui.player.trouble_line import TroubleLine
from yue2_desktop.ui.player.volume import Volume
from yue2_desktop.ui.takes.words import clock
from yue2_desktop.ui.theme import metrics
from yue2_desktop.ui.theme.applied import number_font
from yue2_desktop.ui.theme.icons import icon

_TITLE_WIDTH: Final = 27 * metrics.GRID


class PlayerBar(QWidget):
    """Plays what it is given. `playing_changed` carries its key (empty for none) and whether it is heard.

    `position_changed` carries the key and seconds, at most thirty times a second while it plays. `device_chosen`
    carries the name to remember, None for the system's default.
    """

    playing_changed = Signal(str, bool)
    position_changed = Signal(str, float)
    device_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None, *, make_sink: MakeSink = DeviceSink) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Player"))
        self.playback = Playback(self, make_sink=make_sink)
        self.trouble = TroubleLine()
        self.play_button, self.stop_button = QToolButton(), QToolButton()
        self._title = QLabel()
        self._title.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._title.setFixedWidth(_TITLE_WIDTH)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self.strip = WaveStrip()
        self._time = QLabel()
        self._time.setFont(number_font(self.font()))
        self._time.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.loop_button, self.volume = LoopButton(), Volume()
        self.device_button = DeviceButton(self.playback.devices)
        self._section = ""
        self._lay_out()
        self._wire()
        self._show_sound()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(metrics.GRID, metrics.GRID, metrics.GRID, metrics.GRID)
        row.setSpacing(metrics.GAP)
        for part in (self.play_button, self.stop_button, self._title):
            row.addWidget(part)
        row.addWidget(self.strip, 1)
        behind: tuple[QWidget, ...] = (self._time, self.loop_button, self.volume, self.device_button)
        for control in behind:
            row.addWidget(control)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.trouble)
        column.addLayout(row)

    def _wire(self) -> None:
        playback = self.playback
        self.stop_button.setToolTip(self.tr("Stop and go to the beginning"))
        self.stop_button.setAccessibleName(self.tr("Stop"))
        self.play_button.clicked.connect(self.play_pause)
        self.stop_button.clicked.connect(playback.stop)
        self.strip.sought.connect(playback.seek)
        self.strip.loop_chosen.connect(playback.set_loop)
        self.loop_button.chosen.connect(playback.set_loop)
        self.volume.changed.connect(playback.set_gain)
        self.device_button.chosen.connect(self._choose_device)
        self.trouble.retry_pressed.connect(playback.retry)
        self.trouble.default_pressed.connect(self._play_on_default)
        playback.changed.connect(self._show_sound)
        playback.moved.connect(self._show_place)
        playback.troubled.connect(self._show_trouble)

    @property
    def key(self) -> str:
        """What is loaded; empty for nothing."""
        return "" if self.playback.sound is None else self.playback.sound.key

    def load(self, sound: Playable, *, play: bool = True) -> None:
        """Takes another sound; the same one goes on from where it is."""
        if sound.key == self.key:
            if play:
                self.playback.play()
            return
        self.playback.load(sound, play=play)

    def release(self, key: str) -> None:
        """Lets go of a sound, before its files go away."""
        if key == self.key:
            self.playback.load(None)

    def set_sounding(self, key: str, sounding: Sounding) -> None:
        """The waveform of what is loaded was measured meanwhile."""
        if key == self.key:
            self.playback.set_sounding(sounding)

    def set_device(self, device: str | None) -> None:
        """The device that was remembered."""
        self.playback.set_device(device)

    @Slot()
    def play_pause(self) -> None:
        """Space: plays, or stops where it is."""
        if self.playback.is_playing:
            self.playback.pause()
        else:
            self.playback.play()

    @Slot()
    def pause(self) -> None:
        """Stops where it is: something else is about to be heard."""
        self.playback.pause()

    def close_sound(self) -> None:
        """Ends playing for good, within a bounded time."""
        self.playback.close()

    @Slot(object)
    def _choose_device(self, device: str | None) -> None:
        self.playback.set_device(device)
        self.device_chosen.emit(device)

    @Slot()
    def _play_on_default(self) -> None:
        # The choice is kept: the user's own device may come back.
        self.playback.set_device(None)
        self.playback.play()

    @Slot()
    def _show_sound(self) -> None:
        playback = self.playback
        sound, plays = playback.sound, playback.is_playing
        self.play_button.setIcon(icon("pause" if plays else "play"))
        self.stop_button.setIcon(icon("stop"))
        words = self.tr("Pause") if plays else self.tr("Play")
        self.play_button.setAccessibleName(words)
        self.play_button.setToolTip(self.tr("{} (Space)").format(words))
        for part in (self.play_button, self.stop_button, self.strip, self.loop_button):
            part.setEnabled(sound is not None)
        sections = () if sound is None else sound.sections
        self.strip.set_sound(
            self.key,
            None if sound is None else sound.sounding,
            playback.length,
            tuple(one.start for one in sections),
        )
        self.strip.set_loop(playback.loop)
        self.loop_button.set_sound(playback.length, sections)
        self.loop_button.show_loop(playback.loop)
        self.device_button.set_device(playback.device)
        self.device_button.set_may_look(not plays)
        self._section = ""
        self._show_place(playback.seconds)
        self._show_title()
        self.playing_changed.emit(self.key, plays)

    @Slot(float)
    def _show_place(self, seconds: float) -> None:
        sound = self.playback.sound
        self.strip.set_place(seconds)
        length = self.playback.length
        text = "" if sound is None else f"{clock(seconds)} / {clock(length)}"
        if text != self._time.text():
            self._time.setText(text)
        section = None if sound is None else sound.section_at(seconds)
        name = "" if section is None else section.name
        if name != self._section:
            self._section = name
            self._show_title()
        if sound is not None:
            self.position_changed.emit(sound.key, seconds)

    @Slot(object)
    def _show_trouble(self, trouble: Trouble | None) -> None:
        self.trouble.tell(trouble)

    def _show_title(self) -> None:
        sound = self.playback.sound
        if sound is None:
            text = self.tr("Nothing to play yet")
        else:
            text = f"{sound.title} · {self._section}" if self._section else sound.title
        self._title.setProperty("role", "quiet" if sound is None else "")
        self._title.style().polish(self._title)
        self._title.setToolTip(text)
        self._title.setAccessibleName(text)
        room = self._title.width()
        self._title.setText(self._title.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, room))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's own: the time has room for the longest song."""
        super().resizeEvent(event)
        self._time.setMinimumWidth(QFontMetrics(self._time.font()).horizontalAdvance("00:00 / 00:00"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's own: Space plays wherever in the player the keyboard is."""
        if event.key() == Qt.Key.Key_Space and not event.modifiers() and not event.isAutoRepeat():
            self.play_pause()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Qt's own: another palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show_sound()
