"""Settings: the only reader of the environment and of the configuration file.

Every field can be given as `ASKPAPERS_<FIELD>` in the environment or in `askpapers/config.toml` in the platform's
configuration folder; the environment wins.
"""

import os
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import platformdirs
from pydantic import AliasChoices, Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings import (
    SettingsError as UnreadableSettings,
)

from assistant.errors import SettingsError

_OLLAMA = "http://127.0.0.1:11434"
_TRACING = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2")
Seconds = Annotated[float, Field(gt=0, le=86_400)]


def config_file() -> Path:
    """Return where the configuration file is looked for."""
    return platformdirs.user_config_path("askpapers", appauthor=False) / "config.toml"


def _library() -> Path:
    return platformdirs.user_data_path("askpapers", appauthor=False)


class Settings(BaseSettings):
    """What can be set; `Settings.load()` is the way to get one. Timeouts are seconds, `num_ctx` is tokens."""

    model_config = SettingsConfigDict(env_prefix="ASKPAPERS_", env_ignore_empty=True, extra="ignore", frozen=True)

    library: Path = Field(default_factory=_library)
    llm: str = "auto"
    ollama_host: str = Field(
        _OLLAMA, validation_alias=AliasChoices("ASKPAPERS_OLLAMA_HOST", "OLLAMA_HOST", "ollama_host")
    )
    encoder: str | None = None
    device: Literal["cpu", "cuda", "mps"] | None = None
    num_ctx: Annotated[int, Field(ge=512, le=1_048_576)] = 4096
    keep_alive: str = "10m"
    connect_timeout: Seconds = 3.0
    first_token_timeout: Seconds = 120.0
    between_tokens_timeout: Seconds = 30.0
    tracing: bool = False

    @classmethod
    def load(cls) -> "Settings":
        """Read the environment and the configuration file.

        Raises:
            SettingsError: a value cannot be used, or the file is not TOML.
        """
        try:
            return cls()  # type: ignore[call-arg]  # the aliases hide the default from mypy
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            name = str(first["loc"][0]) if first["loc"] else "settings"
            raise SettingsError(_sentence(name, first["msg"], first["input"])) from error
        except (UnreadableSettings, ValueError, OSError) as error:
            raise SettingsError(f"The configuration file {config_file()} cannot be read: {error}.") from error

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources in order of precedence: arguments, environment, configuration file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=config_file())

    @field_validator("library")
    @classmethod
    def _expand(cls, value: Path) -> Path:
        return value.expanduser()

    @field_validator("ollama_host")
    @classmethod
    def _complete(cls, value: str) -> str:
        return client_address(value)


def client_address(host: str) -> str:
    """Complete an Ollama host as its own client does: scheme, port, and a real address instead of "all of them".

    Raises:
        ValueError: it is no http address.
    """
    url = urlsplit(host.strip() if "://" in host else f"http://{host.strip()}")
    if url.scheme not in ("http", "https") or not (url.hostname or url.port):
        raise ValueError("it is not an http address")
    name = url.hostname or "127.0.0.1"
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(name, name)  # noqa: S104 (replaced, not listened on)
    bracketed = f"[{name}]" if ":" in name else name
    scheme_port = 443 if url.scheme == "https" else 80
    port = url.port or (scheme_port if "://" in host else 11434)
    return f"{url.scheme}://{bracketed}:{port}{url.path.rstrip('/')}"


def silence_tracing(settings: Settings) -> None:
    """Switch LangChain's tracing to a cloud service off for this process, unless the settings ask for it."""
    for name in _TRACING:
        if not settings.tracing:
            os.environ[name] = "false"


def _sentence(name: str, message: str, value: object) -> str:
    reason = message.removeprefix("Value error, ")
    variable = name if name.isupper() else f"ASKPAPERS_{name.upper()}"
    return f"The setting {variable} cannot be {value!r}: {reason[:1].lower()}{reason[1:]}."
