"""The reference itself, against the recorded deals."""

import pytest

from tests import vectors
from tests.reference import REFERENCES


@pytest.mark.parametrize("preset", vectors.PRESETS)
def test_reference_replays_the_vectors(preset):
    for record, trace in vectors.load(preset):
        deal = REFERENCES[preset](record)
        for action, before in zip(record["actions"], trace, strict=True):
            assert (deal.seat, deal.phase) == (before["seat"], before["phase"])
            legal = sorted(deal.legal_actions())
            assert legal == before["legal"] if "legal" in before else len(legal) == before["legal_count"]
            deal.play(action)
        assert deal.phase == "over"
        assert deal.record() == record
