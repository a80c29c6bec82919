# SPDX-License-Identifier: Apache-2.0
"""A local user who wishes the agent ill.

    agent_stranger.py hold SOCKET COUNT    opens so many connections and says nothing, until it is ended
    agent_stranger.py serve SOCKET         listens there and admits everybody
    agent_stranger.py ask SOCKET REQUEST…  says each, on a connection of its own, and prints the codes
                                           of the refusals
"""

import json
import os
import signal
import socket
import sys


def hold(path, count):
    held = []
    for _ in range(count):
        line = socket.socket(socket.AF_UNIX)
        line.connect(path)
        held.append(line)
    # The agent looks at connections in their order: when the last is closed, all were looked at.
    held[-1].settimeout(20)
    print(repr(held[-1].recv(1)), flush=True)
    signal.pause()


def serve(path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    os.chmod(path, 0o666)
    listener.listen()
    print("listening", flush=True)
    line, _ = listener.accept()
    said = line.recv(65_536)
    print(repr(said), flush=True)
    answer = json.dumps({"result": {"admitted": True}}).encode()
    line.sendall(len(answer).to_bytes(4, "big") + answer)


def ask(path, requests):
    for request in requests:
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(20)
        line.connect(path)
        body = request.encode()
        line.sendall(len(body).to_bytes(4, "big") + body)
        answer = b""
        while len(answer) < 4 or len(answer) < 4 + int.from_bytes(answer[:4], "big"):
            answer += line.recv(65_536)
        refusal = json.loads(answer[4:]).get("refusal", {})
        print(refusal.get("code", "none"), flush=True)
    print("asked", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "hold":
        hold(sys.argv[2], int(sys.argv[3]))
    elif sys.argv[1] == "ask":
        ask(sys.argv[2], sys.argv[3:])
    else:
        serve(sys.argv[2])
