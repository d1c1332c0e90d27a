"""The cross-encoder: an optional model that reads an abstract's sentences and a written one together.

Any sentence-transformers CrossEncoder that judges whether one text follows from another: an NLI model, whose labels say
which output is which, or a hallucination check with one output, higher where the text is supported.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from assistant.encoder import local_folder
from assistant.errors import SettingsError
from assistant.text import fold

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder as Model

MARGIN = 0.5  # of probability, by which contradiction has to win

_HOMES = ("", "cross-encoder/")
_ENTAILMENT = ("entail", "support")
_CONTRADICTION = ("contradict", "refute")


@dataclass(frozen=True, slots=True)
class Opinion:
    """The log odds that a hypothesis follows from a premise, and whether the premise plainly speaks against it."""

    log_odds: float
    contradicts: bool


class CrossEncoder:
    """Judges pairs of texts. Safe to share between threads.

    `name` is a model id whose files are cached here, or a folder; the model is loaded on first use, never from the
    network. Raises SettingsError when its files are not on this machine.
    """

    def __init__(self, name: str, device: str | None = None) -> None:
        self.name = Path(name).name if Path(name).is_dir() else name
        self._device = device
        self._lock = RLock()
        found = local_folder(name, _HOMES)
        if found is None:
            raise SettingsError(
                f"The setting ASKPAPERS_CROSS_ENCODER names {name}, which is not on this machine: download it with "
                f"`hf download {name}`, give a folder that holds its files, or unset it."
            )
        self._folder = found

    def judge(self, premise: str, hypotheses: Sequence[str]) -> list[Opinion]:
        """Return what the model holds of each hypothesis; what is too long for it is cut.

        Raises:
            SettingsError: the model cannot be loaded, or its labels don't say which of them is entailment.
        """
        if not hypotheses:
            return []
        with self._lock:
            pairs = [(premise, hypothesis) for hypothesis in hypotheses]
            raw = self._model.predict(pairs, activation_fn=_as_they_are, show_progress_bar=False)
            return [self._opinion(row) for row in np.asarray(raw, np.float64).reshape(len(pairs), -1)]

    def _opinion(self, logits: NDArray[np.float64]) -> Opinion:
        if len(logits) == 1:
            return Opinion(float(logits[0]), False)
        entailment, contradiction = self._places
        others = np.delete(logits, entailment)
        log_odds = float(logits[entailment] - np.logaddexp.reduce(others))
        if contradiction is None:
            return Opinion(log_odds, False)
        shares = np.exp(logits - np.logaddexp.reduce(logits))
        return Opinion(log_odds, bool(shares[contradiction] - np.delete(shares, contradiction).max() >= MARGIN))

    @cached_property
    def _model(self) -> "Model":
        from sentence_transformers import CrossEncoder as Model

        try:
            model = Model(str(self._folder), device=self._device, local_files_only=True)
            return cast("Model", model)
        except (OSError, ValueError, KeyError, TypeError, ImportError, RuntimeError, AttributeError) as error:
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise self._unusable(f"cannot be loaded from {self._folder}: {reason.rstrip('.')}") from error

    @cached_property
    def _places(self) -> tuple[int, int | None]:
        """The outputs for entailment and, where there is one, for contradiction."""
        config: Any = self._model.config
        labels: Mapping[int, str] = {int(place): fold(str(label)) for place, label in config.id2label.items()}
        entailment, contradiction = (
            next((place for place, label in labels.items() if label.startswith(beginnings)), None)
            for beginnings in (_ENTAILMENT, _CONTRADICTION)
        )
        if entailment is None:
            raise self._unusable(f"has the labels {', '.join(labels.values())}, of which none is entailment")
        return entailment, contradiction

    def _unusable(self, why: str) -> SettingsError:
        return SettingsError(
            f"The setting ASKPAPERS_CROSS_ENCODER names {self.name}, which {why}; name an NLI model or unset it."
        )


def _as_they_are(logits: Any) -> Any:
    """Leave the outputs as the model gives them: an activation of its own would have to be undone."""
    return logits
