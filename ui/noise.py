"""Keeping libraries quiet, so that users see only what askpapers says."""

import logging
import os
import sys
import warnings
from io import TextIOWrapper

_CHATTY = (
    "chromadb",
    "gradio",
    "httpx",
    "huggingface_hub",
    "langchain",
    "sentence_transformers",
    "transformers",
)


def silence() -> None:
    """Turn off progress bars, telemetry, log lines and warnings of libraries; for use before their import."""
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if not sys.warnoptions:
        warnings.simplefilter("ignore")


def speak_utf8() -> None:
    """Read and write UTF-8 whatever the console or pipe expects; what cannot be shown becomes a ?."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
