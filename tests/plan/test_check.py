"""The fit check put together: card, pretended card, device, measurements."""

from __future__ import annotations

from dataclasses import replace

import pytest

from yue2_desktop.plan.calibration import Calibration, DeviceRates, ProbeRates, card_key, processor_key
from yue2_desktop.plan.check import Check, check_fit
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import GpuFacts, MachineFacts, TorchFacts
from yue2_desktop.plan.plans import Verdict
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.plan.sizes import GIB
from yue2_desktop.song.errors import Problem

SMALL = GpuFacts(name="small", uuid="GPU-a", total_bytes=4 * GIB, free_bytes=round(3.3 * GIB), capability=(8, 6))
LARGE = GpuFacts(name="large", uuid="GPU-b", total_bytes=24 * GIB, free_bytes=22 * GIB, capability=(8, 6))
CUDA = TorchFacts("2.13.0+cu130", "13.0")


@pytest.fixture
def desktop(laptop: MachineFacts) -> MachineFacts:
    """A machine with two cards."""
    return replace(laptop, gpus=(SMALL, LARGE), torch=CUDA)


def test_the_larger_card_unless_another_is_asked_for(desktop: MachineFacts, song_216: SongDemand) -> None:
    assert check_fit(desktop, Check(song_216)).gpu == LARGE
    assert check_fit(desktop, Check(song_216, device="cuda:0")).gpu == SMALL
    assert check_fit(desktop, Check(song_216, remembered="GPU-a")).gpu == SMALL
    assert check_fit(desktop, Check(song_216, device="cpu")).gpu is None


def test_a_vanished_card_is_said_first(desktop: MachineFacts, song_216: SongDemand) -> None:
    answer = check_fit(desktop, Check(song_216, remembered="GPU-gone"))
    assert answer.gpu == LARGE
    assert "GPU-gone" in answer.notices[0]


def test_a_pretended_card_stands_in_for_all_others(desktop: MachineFacts, song_216: SongDemand) -> None:
    broken = replace(desktop, torch=TorchFacts("2.13.0+cpu", None))
    answer = check_fit(broken, Check(song_216, pretend=parse_pretend("6GB"), remembered="GPU-a", device="cuda:1"))
    assert answer.gpu is not None
    assert answer.gpu.pretended
    assert answer.verdict is Verdict.FITS, "this machine's torch says nothing of a pretended card"
    assert answer.notices[0].startswith("This plan is for a pretended card")


def test_measurements_are_looked_up_by_device(desktop: MachineFacts, song_216: SongDemand) -> None:
    probe = ProbeRates(
        read_gbs=100.0, step_ms=4, linear_tflops={"dense": 5.0}, attention_tflops=5.0, conv_tflops=5.0, copy_gbs=6.0
    )
    mine = Calibration({card_key(LARGE, CUDA): DeviceRates(probe)})
    measured = check_fit(desktop, Check(song_216, calibration=mine)).plan
    assert measured is not None
    assert measured.seconds is not None
    other = check_fit(desktop, Check(song_216, calibration=mine, device="cuda:0")).plan
    assert other is not None
    assert other.seconds is None
    here = Calibration({processor_key(desktop): DeviceRates(replace(probe, copy_gbs=None))})
    alone = check_fit(desktop, Check(song_216, calibration=here, device="cpu")).plan
    assert alone is not None
    assert alone.seconds is not None


def test_a_card_that_is_asked_for_and_missing_is_refused(desktop: MachineFacts, song_216: SongDemand) -> None:
    with pytest.raises(Problem, match="There is no card cuda:7"):
        check_fit(desktop, Check(song_216, device="cuda:7"))
