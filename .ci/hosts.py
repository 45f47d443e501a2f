"""Print the names under which this machine may be reached, one a line; `make app HOST=…` lets in no other.

    python .ci/hosts.py HOST [NAME ...]

They are this machine's own name and addresses, HOST unless it stands for all addresses, and the names given. Nothing
is sent and no name server is asked, so a name that only a name server knows has to be given.
"""

import socket
import subprocess
import sys
from contextlib import suppress

ALL = ("0.0.0.0", "::", "")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses for documentation: a datagram socket that would send there has the address that leads outside."""


def hosts(host, given):
    """Return the names, each once."""
    name = socket.gethostname().lower()
    own = [name, f"{name.partition('.')[0]}.local", *addresses()]
    return list(dict.fromkeys([*LOOPBACK, *own, *([] if host in ALL else [host]), *given]))


def addresses():
    """Return this machine's addresses: those that the system lists where it does, and those that lead outside."""
    found = []
    for family, elsewhere in _ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            found.append(probe.getsockname()[0])
    with suppress(OSError):
        listed = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=False)
        found += listed.stdout.split() if listed.returncode == 0 else []
    return found


if __name__ == "__main__":
    print("\n".join(hosts(sys.argv[1] if len(sys.argv) > 1 else "", sys.argv[2:])))
