# SPDX-License-Identifier: Apache-2.0
"""Starts a program as systemd does with socket activation (sd_listen_fds(3)): opens the socket, waits
until somebody connects, and only then starts the program, which finds the socket as descriptor 3.

    activate.py SOCKET PROGRAM [ARGUMENT …]
"""

import os
import select
import socket
import sys

path, words = sys.argv[1], sys.argv[2:]
listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
listener.bind(path)
os.chmod(path, 0o666)
listener.listen()
select.select([listener], [], [])
os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(words[0], words)
