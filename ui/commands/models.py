"""`askpapers models`: the chat models of the Ollama in use, and pulling more."""

from contextlib import closing

from assistant.chat_model import ChatModel, suggested
from assistant.model_server import InstalledModel, Ollama, server_url
from assistant.settings import Settings
from ui.options import Options
from ui.session import chat_model_settings, settings, warning
from ui.terminal import download, say, show_pairs


def list_models(options: Options) -> int:
    """List chat models by name with their sizes. Raises ChatModelError when Ollama does not answer."""
    chosen = settings(options)
    models = [model for model in Ollama(server_url(chosen.ollama_host)).models() if model.chats]
    if not models:
        name = suggested(chat_model_settings(chosen))
        say(f"Ollama has no chat model yet: get one with `askpapers models pull {name}`.")
    show_pairs((model.name, _described(model, chosen)) for model in models)
    return 0


def pull(name: str, options: Options) -> int:
    """Have Ollama pull a model. Raises ChatModelError when it cannot, KeyboardInterrupt when the user stops it."""
    chosen, name = settings(options), name.strip().removeprefix("ollama:")
    ollama = Ollama(server_url(chosen.ollama_host), chosen.connect_timeout)
    try:
        with closing(ollama.pull(name)) as steps, download(name) as advance:
            for step in steps:
                advance(step.status, step.completed, step.total)
    except KeyboardInterrupt:
        say(f"Stopped; `askpapers models pull {name}` goes on where it stopped.")
        raise
    model = ChatModel("ollama", ollama.resolve(name), chat_model_settings(chosen))
    say(warning(model) or f"{model.name} is here: `askpapers chat --llm {model.spec}` has it write the answers.")
    return 0


def _described(model: InstalledModel, chosen: Settings) -> str:
    if model.remote:
        return "runs elsewhere"
    lacks = ChatModel("ollama", model.name, chat_model_settings(chosen)).lacks_template()
    return f"{model.size / 1e9:.1f} GB" + (", has no chat template and will babble" if lacks else "")
