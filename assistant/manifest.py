"""The manifest: what a library folder was made with, so that nothing else is mixed into it."""

import json
import os
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from assistant.calibration import Adjustment
from assistant.catalogue import SCHEMA_VERSION
from assistant.chunking import RECIPE
from assistant.encoder import Fingerprint
from assistant.errors import LibraryDamaged, LibraryIncompatible, StorageError

_NAME = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a library was made with. `source` is where its encoder was loaded from: an id, a folder, or None.

    `calibration` is what was fitted on this library's own questions, where that was done.
    """

    encoder: Fingerprint
    source: str | None
    recipe: str
    schema: int
    chromadb: str
    tantivy: str
    calibration: Adjustment | None = None

    @classmethod
    def of(cls, encoder: Fingerprint, source: str | None) -> "Manifest":
        """Return the manifest of what this installation would make."""
        return cls(encoder, source, RECIPE, SCHEMA_VERSION, version("chromadb"), version("tantivy"))

    @classmethod
    def read(cls, folder: Path) -> "Manifest | None":
        """Read a library's manifest; None when it has none yet.

        Raises:
            LibraryDamaged: it is there and cannot be read.
        """
        path = folder / _NAME
        try:
            fields: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            fitted = fields.pop("calibration", None)
            encoder, calibration = Fingerprint(**fields.pop("encoder")), Adjustment(**fitted) if fitted else None
            return cls(encoder, **fields, calibration=calibration)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise LibraryDamaged(
                f"The manifest {path} cannot be read: run `askpapers library rebuild`, which writes it anew."
            ) from error

    def write(self, folder: Path) -> None:
        """Write the manifest so that a reader finds either the old or the new one whole.

        Raises:
            StorageError: the disk is full or read-only.
        """
        path, draft = folder / _NAME, folder / f"{_NAME}.new"
        try:
            with draft.open("w", encoding="utf-8") as file:
                json.dump(_without_nothing(asdict(self)), file, indent=2)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except OSError as error:
            raise StorageError(f"The manifest {path} cannot be written: {error.strerror}.") from error

    def check(self, encoder: str | None, requested: str | None) -> None:
        """Refuse a library that this installation, or the encoder asked for, would read differently.

        Raises:
            LibraryIncompatible: naming the difference.
        """
        if encoder is not None and encoder != self.encoder.name:
            reason = f"was made with the encoder {self.encoder.name}, not {encoder}"
        elif self.schema > SCHEMA_VERSION:
            raise LibraryIncompatible(
                f"This library has the schema {self.schema} of a newer askpapers: `pip install --upgrade askpapers`."
            )
        elif self.schema != SCHEMA_VERSION:
            reason = f"has the schema {self.schema}, and this version of askpapers reads {SCHEMA_VERSION}"
        elif self.recipe != RECIPE:
            reason = "was made with another chunking recipe"
        elif self.chromadb.split(".")[0] != version("chromadb").split(".")[0]:
            reason = f"was made with chromadb {self.chromadb}, and {version('chromadb')} is installed"
        else:
            return
        hint = "" if encoder is None else f" --encoder {requested}"
        raise LibraryIncompatible(f"This library {reason}: run `askpapers library rebuild{hint}`.")


def _without_nothing(fields: dict[str, Any]) -> dict[str, Any]:
    """Leave out a calibration that was never made, so that earlier versions can read the manifest."""
    return {name: value for name, value in fields.items() if name != "calibration" or value is not None}
