"""A process in the place of a role: it does a list of things by rote, and then what it is told.

Entry: `python stand_in.py FILE`, where FILE is a JSON object: `role`, `peers`, `actions` (each
`["sent", peer, bytes in hexadecimal]` or `["received", peer, bytes]`), and `end`, one of `die`,
`kill` and `hold`. Ports pass through stdin and stdout, as those of a role do.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path

LOOPBACK = "127.0.0.1"


def main(path: str) -> None:
    script = json.loads(Path(path).read_text())
    role, peers = script["role"], script["peers"]
    listeners = {peer: socket.create_server((LOOPBACK, 0)) for peer in peers if peer > role}
    for listener in listeners.values():
        sys.stdout.buffer.write(listener.getsockname()[1].to_bytes(2, "big"))
    sys.stdout.buffer.flush()
    connections: dict[int, socket.socket] = {}
    for peer in peers:
        if peer < role:
            port = int.from_bytes(sys.stdin.buffer.read(2), "big")
            connections[peer] = socket.create_connection((LOOPBACK, port))
    for peer, listener in listeners.items():
        connections[peer], _ = listener.accept()
    with suppress(OSError):  # A peer has ended before its time.
        for kind, peer, what in script["actions"]:
            if kind == "sent":
                connections[peer].sendall(bytes.fromhex(what))
            else:
                left = what
                while left:
                    left -= len(connections[peer].recv(left)) or left
    if script["end"] == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if script["end"] == "hold":
        time.sleep(600)
    os._exit(7)


if __name__ == "__main__":
    main(sys.argv[1])
