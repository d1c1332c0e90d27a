"""`askpapers chat`: the web app."""

from contextlib import ExitStack

from assistant.chain import Assistant
from ui.arguments import Credentials
from ui.options import Options
from ui.session import advice, open_assistant, settings
from ui.terminal import say
from ui.web.server import serve


def chat(host: str, port: int, auth: Credentials | None, no_auth: bool, options: Options) -> int:
    """Serve the chat until Ctrl-C. Raises SettingsError when the address cannot be listened on."""
    chosen = settings(options)
    notices: list[str] = []
    with ExitStack() as stack:

        def opened() -> Assistant:
            assistant = stack.enter_context(open_assistant(chosen))
            notices.extend(filter(None, [advice(chosen, assistant.model)]))
            for notice in notices:
                say(notice)
            return assistant

        serve(
            opened,
            host=host,
            port=port,
            auth=(auth.user, auth.password) if auth else None,
            no_auth=no_auth,
            notice=lambda: " ".join(notices),
            started=lambda address: say(f"askpapers listens on {address} (Ctrl-C ends it)."),
        )
    return 0
