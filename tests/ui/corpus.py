"""A small corpus and its library folder, for the tests of commands."""

import json
from pathlib import Path
from typing import Any

RECORDS: tuple[dict[str, Any], ...] = (
    {
        "id": "kelp",
        "title": "KelpNet: Counting Kelp from Satellites",
        "abstract": "Kelp forests shrink as the sea warms. KelpNet counts kelp in satellite images. "
        "It finds 91% of the forests that divers report.",
        "authors": ["Maren Holt", "Ito Kenji"],
        "year": 2024,
        "venue": "ICML",
        "doi": "10.5555/kelp",
    },
    {
        "id": "frost",
        "title": "Forecasting Frost in Vineyards",
        "abstract": "Late frost ruins vineyards. We forecast frost six hours ahead with a recurrent network. "
        "Farmers lit half as many heaters.",
        "authors": ["Odile Brun"],
        "year": 2025,
        "venue": "NeurIPS",
        "url": "https://example.org/frost",
    },
    {
        "id": "moss",
        "abstract": "Moss tells how clean the air of a city is. A camera watches moss on roofs and a network "
        "reads the amount of nitrogen from its colour.",
        "authors": ["Ito Kenji"],
        "year": 2026,
        "venue": "ICML",
    },
)


def write_corpus(path: Path) -> Path:
    """Write the corpus as JSON lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), encoding="utf-8")
    return path
