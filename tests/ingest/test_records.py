import dataclasses

import pytest

from assistant.schema import Paper
from ingest.records import ParsedRecord, RawRecord, Reject


@pytest.mark.parametrize(
    "value",
    [
        RawRecord("a.jsonl", 1, 1, {"title": "A"}),
        Reject("a.jsonl", None, None, "the file is empty"),
        ParsedRecord(Paper("title:1", title="A"), ("title:1",), "title:1"),
    ],
)
def test_values_cannot_be_changed_in_place(value: object) -> None:
    field = dataclasses.fields(value)[0].name  # type: ignore[arg-type]
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, field, "other")
