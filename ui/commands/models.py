"""`askpapers models`: the chat models of the Ollama in use."""

from assistant.model_server import Ollama, server_url
from ui.options import Options
from ui.session import settings
from ui.terminal import say, show_pairs


def list_models(options: Options) -> int:
    """List chat models by name with their sizes. Raises ChatModelError when Ollama does not answer."""
    models = [model for model in Ollama(server_url(settings(options).ollama_host)).models() if model.chats]
    if not models:
        say("Ollama has no chat model yet: get one with `ollama pull qwen3:4b`.")
    show_pairs((model.name, "runs elsewhere" if model.remote else f"{model.size / 1e9:.1f} GB") for model in models)
    return 0
