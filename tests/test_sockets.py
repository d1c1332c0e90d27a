import socket

import pytest


def test_only_loopback_can_be_reached() -> None:
    with pytest.raises(ConnectionRefusedError, match="only loopback"):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    with pytest.raises(ConnectionRefusedError, match="only loopback"):
        socket.getaddrinfo("papers.invalid", 80)
