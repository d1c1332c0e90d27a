"""Values on their way to the page."""

import json
from collections.abc import Mapping

from assistant.schema import Json


def wired(value: Mapping[str, Json]) -> dict[str, str]:
    """Write each entry of a value as JSON, and each of its turns as an entry `turn ID`.

    While an answer runs, Gradio sends only what differs from the value before. It misplaces deletions in lists
    within lists, and replaces a text whole: so a change arrives as it is, and only changes are sent.
    """
    entries = {key: json.dumps(part) for key, part in value.items() if key != "turns"}
    turns = value.get("turns")
    for turn in turns if isinstance(turns, list) else ():
        if isinstance(turn, dict):
            entries[f"turn {turn['id']}"] = json.dumps(turn)
    return entries
