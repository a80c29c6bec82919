# SPDX-License-Identifier: Apache-2.0
"""A desktop that shows notifications (org.freedesktop.Notifications 1.2), as far as a test looks.

    notifications.py FILE

Takes the name on the session bus, writes one line of JSON to FILE for each notification that comes, and
`ready` before the first. Speaks D-Bus by hand, with nothing but the standard library.
"""

import json
import os
import socket
import struct
import sys

CALL, REPLY, ERROR = 1, 2, 3
PATH, INTERFACE, MEMBER, REPLY_SERIAL, DESTINATION, SENDER, SIGNATURE = 1, 2, 3, 5, 6, 7, 8
NAME = "org.freedesktop.Notifications"


class Writer:
    def __init__(self):
        self.data = b""

    def align(self, size):
        self.data += b"\0" * (-len(self.data) % size)

    def number(self, value):
        self.align(4)
        self.data += struct.pack("<I", value)

    def string(self, text):
        self.number(len(text.encode()))
        self.data += text.encode() + b"\0"

    def signature(self, text):
        self.data += bytes([len(text)]) + text.encode() + b"\0"


class Reader:
    def __init__(self, data, offset=0):
        self.data, self.offset = data, offset

    def align(self, size):
        self.offset += -self.offset % size

    def number(self):
        self.align(4)
        self.offset += 4
        return struct.unpack_from("<I", self.data, self.offset - 4)[0]

    def string(self):
        length = self.number()
        text = self.data[self.offset:self.offset + length].decode()
        self.offset += length + 1
        return text

    def signature(self):
        length = self.data[self.offset]
        text = self.data[self.offset + 1:self.offset + 1 + length].decode()
        self.offset += length + 2
        return text


class Bus:
    def __init__(self):
        self.serial, self.buffer = 0, b""
        address = os.environ["DBUS_SESSION_BUS_ADDRESS"]
        where = dict(part.split("=", 1) for part in address.split(":", 1)[1].split(","))
        self.stream = socket.socket(socket.AF_UNIX)
        name = where.get("path") or "\0" + where["abstract"]
        self.stream.connect(name)
        user = str(os.getuid()).encode().hex()
        self.stream.sendall(b"\0AUTH EXTERNAL " + user.encode() + b"\r\n")
        assert self.take(2) == b"OK"
        while self.take(1) != b"\n":
            pass
        self.stream.sendall(b"BEGIN\r\n")

    def take(self, count):
        while len(self.buffer) < count:
            more = self.stream.recv(65536)
            if not more:
                sys.exit(0)
            self.buffer += more
        part, self.buffer = self.buffer[:count], self.buffer[count:]
        return part

    def send(self, kind, fields, body=b""):
        self.serial += 1
        array = Writer()
        for code, form, value in fields:
            array.align(8)
            array.data += bytes([code])
            array.signature(form)
            if form == "u":
                array.number(value)
            elif form == "g":
                array.signature(value)
            else:
                array.string(value)
        head = struct.pack("<cBBBIII", b"l", kind, 0, 1, len(body), self.serial, len(array.data))
        message = head + array.data
        self.stream.sendall(message + b"\0" * (-len(message) % 8) + body)

    def ask(self, member, form="", body=b""):
        fields = [(PATH, "o", "/org/freedesktop/DBus"), (MEMBER, "s", member),
                  (INTERFACE, "s", "org.freedesktop.DBus"),
                  (DESTINATION, "s", "org.freedesktop.DBus")]
        self.send(CALL, fields + ([(SIGNATURE, "g", form)] if form else []), body)

    def receive(self):
        """The kind of a message, its number, its fields and its body."""
        head = self.take(16)
        kind, length, serial, size = head[1], *struct.unpack("<III", head[4:16])
        array = self.take(size)
        self.take(-(16 + size) % 8)
        reader, fields = Reader(array), {}
        while reader.offset < size:
            reader.align(8)
            code = array[reader.offset]
            reader.offset += 1
            form = reader.signature()
            if form == "u":
                fields[code] = reader.number()
            elif form == "g":
                fields[code] = reader.signature()
            else:
                fields[code] = reader.string()
        return kind, serial, fields, self.take(length)


def notification(body):
    reader = Reader(body)
    shown = {"app": reader.string(), "replaces": reader.number(), "icon": reader.string()}
    shown["summary"], shown["body"] = reader.string(), reader.string()
    return shown


def main():
    bus, last = Bus(), 0
    bus.ask("Hello")
    wish = Writer()
    wish.string(NAME)
    wish.number(4)
    bus.ask("RequestName", "su", wish.data)
    with open(sys.argv[1], "a", buffering=1) as log:
        while True:
            kind, serial, fields, body = bus.receive()
            if kind == REPLY and fields.get(REPLY_SERIAL) == 2:
                log.write('"ready"\n')
            if kind != CALL:
                continue
            answer = [(REPLY_SERIAL, "u", serial), (DESTINATION, "s", fields[SENDER])]
            member = fields.get(MEMBER)
            out = Writer()
            if member == "Notify":
                shown = notification(body)
                last = shown["replaces"] or last + 1
                log.write(json.dumps(shown) + "\n")
                out.number(last)
                bus.send(REPLY, answer + [(SIGNATURE, "g", "u")], out.data)
            elif member == "GetServerInformation":
                for text in ["Test", "Gatehouse", "1", "1.2"]:
                    out.string(text)
                bus.send(REPLY, answer + [(SIGNATURE, "g", "ssss")], out.data)
            elif member == "GetCapabilities":
                caps = Writer()
                caps.string("body")
                out.number(len(caps.data))
                out.data += caps.data
                bus.send(REPLY, answer + [(SIGNATURE, "g", "as")], out.data)
            else:
                bus.send(ERROR, answer + [(4, "s", "org.freedesktop.DBus.Error.UnknownMethod")])


if __name__ == "__main__":
    main()
