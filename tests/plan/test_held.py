"""Memory that our own process holds counts as free when it plans anew."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

from yue2_desktop.plan.check import Check, check_fit
from yue2_desktop.plan.demand import SongDemand
from yue2_desktop.plan.facts import CardUser, CpuFacts, GpuFacts, MachineFacts
from yue2_desktop.plan.held import Held, held_by
from yue2_desktop.plan.pretend import parse_pretend
from yue2_desktop.plan.sizes import GIB, MIB

BROWSER = CardUser(5, "browser", 200 * MIB)


def card(free: int, *users: CardUser) -> GpuFacts:
    known = replace(parse_pretend("8GB"), pretended=False, cuda_index=0)
    return replace(known, free_bytes=free, users=users)


def on(gpu: GpuFacts, ram_free: int = 4 * GIB) -> MachineFacts:
    cpu, disk = CpuFacts("laptop", 8), 99 * GIB
    return MachineFacts((gpu,), platform="linux", cpu=cpu, ram_total=16 * GIB, ram_free=ram_free, disk_free=disk)


def test_what_the_driver_tells_of_the_process() -> None:
    machine = on(card(2 * GIB, BROWSER, CardUser(7, "engine", 4 * GIB)))
    found = Held(7, 3 * GIB, {0: GIB}).on(machine)
    assert found.gpus is not None
    assert (found.gpus[0].free_bytes, found.gpus[0].users) == (6 * GIB, (BROWSER,))
    assert found.ram_free == 7 * GIB
    assert found.commit_bytes is None


def test_what_the_allocator_tells_where_the_driver_does_not() -> None:
    for users in ((), (CardUser(7, "engine", None),)):
        found = Held(7, 0, {0: GIB}).on(on(card(2 * GIB, *users)))
        assert found.gpus is not None
        assert (found.gpus[0].free_bytes, found.gpus[0].users) == (3 * GIB, ())
    unread = replace(on(card(GIB)), gpus=None)
    assert Held(7, 0, {0: GIB}).on(unread) == unread


def test_no_more_is_free_than_there_is() -> None:
    gpu = card(7 * GIB)
    found = Held(7, 99 * GIB, {0: 5 * GIB}).on(on(gpu))
    assert found.gpus is not None
    assert found.gpus[0].free_bytes == gpu.total_bytes
    assert found.ram_free == 16 * GIB
    unknown = Held(7, GIB, {0: GIB}).on(replace(on(replace(gpu, free_bytes=None)), ram_free=None))
    assert unknown.gpus is not None
    assert (unknown.gpus[0].free_bytes, unknown.ram_free) == (None, None)


def test_the_next_plan_is_no_smaller_for_the_weights_of_the_last() -> None:
    demand = SongDemand(text_tokens=500, abc_tokens=3_647, frames_ceiling=5_371)
    free = on(card(round(6.9 * GIB)), ram_free=12 * GIB)
    first = check_fit(free, Check(demand=demand)).plan
    assert first is not None
    beside = on(card(round(6.9 * GIB) - first.card_bytes, CardUser(7, "engine", first.card_bytes)), ram_free=12 * GIB)
    smaller = check_fit(beside, Check(demand=demand)).plan
    assert smaller is None or smaller.candidate != first.candidate
    again = check_fit(Held(7).on(beside), Check(demand=demand)).plan
    assert again is not None
    assert again.candidate == first.candidate


# A process of its own: what the tests before it freed in this one would be filled again, and nothing grow.
HOLDER = """
import os, sys
print("ready", flush=True)
sys.stdin.readline()
block = os.urandom(64 << 20)
print("holding", flush=True)
sys.stdin.readline()
"""


def test_what_a_process_holds_is_read() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "ready\n"
        before = held_by(holder.pid).ram_bytes
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == "holding\n"
        after = held_by(holder.pid, {1: 5})
        holder.communicate("\n")
    assert 48 * MIB < after.ram_bytes - before < 80 * MIB
    assert after.card_bytes == {1: 5}
    assert held_by(holder.pid) == Held(holder.pid)
