"""The judge is judged first: histories that are right by construction, and the same with one thing wrong."""

import unittest

from errors import (Calls, over_bucket, over_cycle, over_log, over_window, refused_by_count, refused_by_empty_bucket,
                    refused_by_full_bucket)
from waiting import lateness, overtaken

RATE, SECOND = 10, 1_000_000
ROUND_TRIP = 300


def calls(moments: list[int]) -> Calls:
    """Made at these moments, by callers who know them to within a round trip."""
    return Calls([(moment - ROUND_TRIP, moment + ROUND_TRIP) for moment in moments])


EVENLY = [i * SECOND // RATE for i in range(50)]
LUMPS = [window * SECOND + i for window in range(5) for i in range(RATE)]
FULL_BUCKET = [0] * RATE + EVENLY[1:]


class Over(unittest.TestCase):
    def test_what_is_right_is_not_blamed(self):
        self.assertLessEqual(over_log(calls(EVENLY), RATE, SECOND), 0)
        self.assertLessEqual(over_log(calls(LUMPS), RATE, SECOND), 0)
        self.assertLessEqual(over_bucket(calls(FULL_BUCKET), RATE, SECOND), 0)
        self.assertLessEqual(over_window(calls(LUMPS), RATE, SECOND), 0)
        self.assertLessEqual(over_cycle(calls(LUMPS), RATE, SECOND), 0)

    def test_permits_too_many_are_counted(self):
        extra = [2 * SECOND + 5 * ROUND_TRIP + i for i in range(3)]
        self.assertEqual(over_log(calls(LUMPS + extra), RATE, SECOND), 3)
        self.assertEqual(over_window(calls(LUMPS + extra), RATE, SECOND), 3)
        self.assertEqual(over_cycle(calls(LUMPS + extra), RATE, SECOND), 3)
        self.assertEqual(over_bucket(calls(FULL_BUCKET + [SECOND] * 3), RATE, SECOND), 2)  # the third is in doubt

    def test_a_log_frees_no_permit_early(self):
        early = EVENLY[:20] + [EVENLY[20] - 10 * ROUND_TRIP] + EVENLY[21:]
        self.assertEqual(over_log(calls(early), RATE, SECOND), 1)

    def test_in_any_window_a_bucket_and_a_window_let_through_twice_as_much(self):
        self.assertGreaterEqual(over_log(calls(FULL_BUCKET), RATE, SECOND), RATE - 1)
        late_and_early = [0] + [SECOND - 10_000 + i for i in range(RATE - 1)] + [SECOND + 10_000 + i for i in range(RATE)]
        self.assertLessEqual(over_window(calls(late_and_early), RATE, SECOND), 0)
        self.assertEqual(over_log(calls(late_and_early), RATE, SECOND), RATE - 1)

    def test_a_cycle_may_begin_before_its_first_grant(self):
        first_was_late = [600_000 + i for i in range(RATE)] + [moment + SECOND for moment in LUMPS]
        self.assertLessEqual(over_cycle(calls(first_was_late), RATE, SECOND), 0)


class Refused(unittest.TestCase):
    def test_what_is_right_is_not_blamed(self):
        between = [moment + 50_000 for moment in EVENLY[RATE:]]
        self.assertEqual(refused_by_count(calls(EVENLY), calls(between), RATE, SECOND), 0)
        self.assertEqual(refused_by_full_bucket(calls(FULL_BUCKET), calls(between), RATE, SECOND), 0)
        self.assertEqual(refused_by_empty_bucket(calls(EVENLY), calls(between), RATE, SECOND), 0)

    def test_refusals_of_a_limiter_that_had_permits_are_counted(self):
        gap = [moment for moment in EVENLY if not 2 * SECOND < moment < 3 * SECOND]
        in_the_gap = [2 * SECOND + 500_000]
        self.assertEqual(refused_by_count(calls(gap), calls(in_the_gap), RATE, SECOND), 1)
        self.assertEqual(refused_by_empty_bucket(calls(gap), calls(in_the_gap), RATE, SECOND), 1)
        self.assertEqual(refused_by_full_bucket(calls([0]), calls(in_the_gap), RATE, SECOND), 1)


class Waiting(unittest.TestCase):
    def test_lateness_is_counted_from_when_the_permit_was_free(self):
        late = [moment + (7000 if i == 30 else 0) for i, moment in enumerate(EVENLY)]
        self.assertEqual(max(lateness(late, RATE, SECOND, "sliding_log")), 7000)
        self.assertEqual(max(lateness(late, RATE, SECOND, "token_bucket")), 7000)
        self.assertEqual(max(lateness(LUMPS, RATE, SECOND, "fixed_window")), RATE - 1)

    def test_who_is_served_after_a_later_arrival_was_overtaken(self):
        self.assertEqual(overtaken([0, 1, 2, 3]), 0)
        self.assertEqual(overtaken([1, 0, 3, 2]), 0.5)


if __name__ == "__main__":
    unittest.main()
