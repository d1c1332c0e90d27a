"""`askpapers chat`: the web app."""

from ui.arguments import Credentials
from ui.options import Options
from ui.session import assistant
from ui.terminal import say
from ui.web.server import serve


def chat(host: str, port: int, auth: Credentials | None, no_auth: bool, options: Options) -> None:
    """Serve the chat until Ctrl-C."""
    serve(
        lambda: assistant(options),
        host=host,
        port=port,
        auth=(auth.user, auth.password) if auth else None,
        no_auth=no_auth,
        started=lambda address: say(f"askpapers listens on {address} (Ctrl-C ends it)."),
    )
