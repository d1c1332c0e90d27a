"""Settings: the only reader of the environment and of the configuration file.

Every field can be given as `ASKPAPERS_<FIELD>` in the environment or in `askpapers/config.toml` in the platform's
configuration folder; the environment wins.
"""

import os
from pathlib import Path
from typing import Annotated, Literal

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
from assistant.model_server import server_url

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
    cross_encoder: str | None = None
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
            reason = first["msg"].removeprefix("Value error, ")
            sentence = f"{_given(name)} cannot be {first['input']!r}: {reason[:1].lower()}{reason[1:]}."
            raise SettingsError(sentence) from error
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
        try:
            return server_url(value)
        except SettingsError as error:
            raise ValueError("it is no http address as 127.0.0.1:11434 is") from error


def silence_tracing(settings: Settings) -> None:
    """Switch LangChain's tracing to a cloud service off for this process, unless the settings ask for it."""
    for name in _TRACING:
        if not settings.tracing:
            os.environ[name] = "false"


def _given(name: str) -> str:
    """Return what the user wrote a setting as: a variable of the environment, else an entry of the file.

    `name` is the field, or any of the names that it can be given by; the one that won is not told.
    """
    field_name = name.lower().removeprefix("askpapers_")
    variables = [f"ASKPAPERS_{field_name.upper()}", *(["OLLAMA_HOST"] if field_name == "ollama_host" else [])]
    won = next((variable for variable in variables if os.environ.get(variable)), None)
    return f"The setting {won}" if won else f"The setting {field_name} in {config_file()}"
