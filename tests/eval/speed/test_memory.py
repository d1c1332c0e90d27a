"""The resident set while something is held."""

import time

from eval.speed.memory import Watch, resident


def test_a_peak_is_seen_though_it_has_passed() -> None:
    before, watch = resident(), Watch()
    with watch:
        held = bytearray(b"x" * 200_000_000)
        while watch.peak < before + 150:
            time.sleep(0.01)
        del held
    assert watch.peak >= before + 150
    peak = watch.peak
    with watch:
        pass
    assert watch.peak >= peak
