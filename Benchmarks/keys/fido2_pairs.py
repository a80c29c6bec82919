# SPDX-License-Identifier: Apache-2.0
"""Registers and signs in again and again with python-fido2, over a socket pair.

    fido2_pairs.py COUNT            prints {"pairs": COUNT, "seconds": …}

Its client and its server here, and `Tests/CTAPTests/Peers/python_authenticator.py` in a process
of its own at the other end, so that neither waits for the other's interpreter.
"""

import json
import pathlib
import socket
import subprocess
import sys
import time

from fido2.client import DefaultClientDataCollector, Fido2Client, UserInteraction
from fido2.hid import CtapHidDevice
from fido2.hid.base import CtapHidConnection, HidDescriptor
from fido2.server import Fido2Server

ROOT = pathlib.Path(__file__).resolve().parents[2]
AUTHENTICATOR = ROOT / "Tests" / "CTAPTests" / "Peers" / "python_authenticator.py"


class Connection(CtapHidConnection):
    def __init__(self, end):
        self.end = end

    def read_packet(self):
        return self.end.recv(64, socket.MSG_WAITALL)

    def write_packet(self, data):
        self.end.sendall(data)

    def close(self):
        self.end.close()


def pair(server, client):
    options, state = server.register_begin(
        {"id": b"\1\2\3", "name": "anna"}, user_verification="discouraged")
    registered = server.register_complete(state, client.make_credential(options.public_key))
    options, state = server.authenticate_begin(
        [registered.credential_data], user_verification="discouraged")
    selection = client.get_assertion(options.public_key)
    server.authenticate_complete(state, [registered.credential_data], selection.get_response(0))


def main(count):
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with subprocess.Popen([sys.executable, AUTHENTICATOR, "fd", str(theirs.fileno())],
                          pass_fds=[theirs.fileno()]) as authenticator:
        theirs.close()
        device = CtapHidDevice(
            HidDescriptor("pair", 0, 0, 64, 64, "socket pair", None), Connection(ours))
        client = Fido2Client(device, DefaultClientDataCollector("https://example.com"),
                             user_interaction=UserInteraction())
        server = Fido2Server({"id": "example.com", "name": "Example"}, attestation="direct")
        pair(server, client)
        start = time.perf_counter()
        for _ in range(count):
            pair(server, client)
        seconds = time.perf_counter() - start
        device.close()
        authenticator.terminate()
    print(json.dumps({"pairs": count, "seconds": seconds}))


main(int(sys.argv[1]))
