"""`askpapers chat`: the web app."""

from contextlib import ExitStack

from assistant.chain import Assistant
from ui.arguments import Credentials
from ui.options import Options
from ui.session import open_assistant, settings
from ui.terminal import say
from ui.web.server import serve


def chat(host: str, port: int, auth: Credentials | None, no_auth: bool, options: Options) -> int:
    """Serve the chat until Ctrl-C. Raises SettingsError when the address cannot be listened on."""
    with ExitStack() as stack:

        def opened() -> Assistant:
            return stack.enter_context(open_assistant(settings(options)))

        serve(
            opened,
            host=host,
            port=port,
            auth=(auth.user, auth.password) if auth else None,
            no_auth=no_auth,
            started=lambda address: say(f"askpapers listens on {address} (Ctrl-C ends it)."),
        )
    return 0
