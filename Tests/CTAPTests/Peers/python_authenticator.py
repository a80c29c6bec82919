# SPDX-License-Identifier: Apache-2.0
"""A small CTAP 2.1 authenticator that shares no code with ours: ES256, PIN protocol 2.

    python_authenticator.py pty [slow|dies]  prints a device path, then serves it until it is ended
    python_authenticator.py socket PATH      prints the path, then serves who connects, one by one
    python_authenticator.py fd NUMBER        serves a Unix socket that it inherited

It is written from the standard, on fido2's CBOR and PIN protocol and on `cryptography`. It is
touched at once; with `slow` after two keep-alives that say that it waits; with
`dies` it is gone in the middle of a registration. It is strict: what a
client must not send is refused, so that our client is not tested against our own opinion only.
"""

import hashlib
import os
import pty
import socket
import struct
import sys
import tty

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256
from fido2.ctap2.pin import PinProtocolV2

AAGUID = bytes.fromhex("70790000000040008000000000000001")
INIT, PING, CBOR, CANCEL, KEEPALIVE, ERROR = 0x06, 0x01, 0x10, 0x11, 0x3B, 0x3F
MAKE, GET, INFO, PIN, RESET, NEXT, SELECT = 0x01, 0x02, 0x04, 0x06, 0x07, 0x08, 0x0B


class Refused(Exception):
    """A CTAP status."""


def need(condition, status):
    if not condition:
        raise Refused(status)


class Authenticator:
    def __init__(self):
        self.credentials, self.counter = {}, 0
        self.pin_hash, self.retries, self.misses = None, 8, 0
        self.remaining = []
        self.protocol = PinProtocolV2()
        self.agreement = ec.generate_private_key(ec.SECP256R1())
        self.token, self.permissions, self.rp = None, 0, None

    def answer(self, frame):
        try:
            need(frame, 0x03)
            arguments = cbor.decode(frame[1:]) if len(frame) > 1 else {}
            # The canonical form is the only one that is let in (CTAP 2.1 section 8).
            need(len(frame) == 1 or cbor.encode(arguments) == frame[1:], 0x12)
            if frame[0] != NEXT:
                self.remaining = []
            commands = {MAKE: self.make, GET: self.get, INFO: self.info, PIN: self.pin,
                        RESET: self.reset, NEXT: self.next, SELECT: lambda _: None}
            need(frame[0] in commands, 0x01)
            reply = commands[frame[0]](arguments)
            return b"\0" + (cbor.encode(reply) if reply is not None else b"")
        except Refused as refusal:
            return bytes([refusal.args[0]])
        except (ValueError, KeyError, TypeError, struct.error):
            return b"\x12"

    def info(self, _):
        return {1: ["FIDO_2_0", "FIDO_2_1"], 3: AAGUID, 4: {
            "rk": True, "up": True, "plat": False, "clientPin": self.pin_hash is not None,
            "pinUvAuthToken": True, "makeCredUvNotRqd": True}, 5: 1200, 6: [2], 7: 8, 8: 128,
            9: ["usb"], 10: [{"alg": -7, "type": "public-key"}]}

    def reset(self, _):
        self.__init__()

    # Credentials

    def verified(self, parameter, protocol, client_data_hash, permission, rp):
        """Whether a token stands behind the request."""
        if parameter is None:
            return False
        need(protocol == 2, 0x02)
        need(self.pin_hash, 0x35)
        need(self.token and self.protocol.authenticate(self.token, client_data_hash) == parameter,
             0x33)
        need(self.permissions & permission, 0x33)
        need(self.rp in (None, rp), 0x33)
        self.rp = rp
        return True

    def make(self, request):
        client_data_hash, rp, user = request[1], request[2]["id"], request[3]
        need(len(client_data_hash) == 32 and 1 <= len(user["id"]) <= 64, 0x02)
        need(any(p == {"alg": -7, "type": "public-key"} for p in request[4]), 0x26)
        options = request.get(7, {})
        need("up" not in options or options["up"], 0x2C)
        is_verified = self.verified(request.get(8), request.get(9), client_data_hash, 1, rp)
        need(is_verified or not self.pin_hash or not options.get("rk"), 0x36)
        for descriptor in request.get(5, []):
            need(self.credentials.get(descriptor["id"], {}).get("rp") != rp, 0x19)
        key, identifier = ec.generate_private_key(ec.SECP256R1()), os.urandom(32)
        self.credentials[identifier] = {
            "rp": rp, "key": key, "user": user, "discoverable": options.get("rk", False)}
        attested = AAGUID + struct.pack(">H", 32) + identifier + cbor.encode(
            dict(ES256.from_cryptography_key(key.public_key())))
        data = self.data(rp, is_verified, attested)
        signature = key.sign(data + client_data_hash, ec.ECDSA(hashes.SHA256()))
        return {1: "packed", 2: data, 3: {"alg": -7, "sig": signature}}

    def data(self, rp, is_verified, attested=b""):
        self.counter += 1
        flags = 0x01 | (0x04 if is_verified else 0) | (0x40 if attested else 0)
        return (hashlib.sha256(rp.encode()).digest()
                + struct.pack(">BI", flags, self.counter) + attested)

    def get(self, request):
        rp, client_data_hash = request[1], request[2]
        presence = request.get(5, {}).get("up", True)
        is_verified = self.verified(request.get(6), request.get(7), client_data_hash, 2, rp)
        if 3 in request:
            need(request[3], 0x03)
            found = [d["id"] for d in request[3]
                     if self.credentials.get(d["id"], {}).get("rp") == rp][:1]
        else:
            found = [i for i, c in reversed(self.credentials.items())
                     if c["rp"] == rp and c["discoverable"]]
        need(found, 0x2E)
        self.remaining = [(i, rp, client_data_hash, is_verified) for i in found[1:]]
        reply = self.sign(found[0], rp, client_data_hash, is_verified, presence)
        if len(found) > 1:
            reply[5] = len(found)
        return reply

    def next(self, _):
        need(self.remaining, 0x30)
        return self.sign(*self.remaining.pop(0))

    def sign(self, identifier, rp, client_data_hash, is_verified, presence=True):
        credential = self.credentials[identifier]
        data = bytearray(self.data(rp, is_verified))
        data[32] &= 0xFF if presence else 0xFE
        signature = credential["key"].sign(
            bytes(data) + client_data_hash, ec.ECDSA(hashes.SHA256()))
        reply = {1: {"id": identifier, "type": "public-key"}, 2: bytes(data), 3: signature}
        if credential["discoverable"]:
            user = credential["user"]
            reply[4] = user if is_verified else {"id": user["id"]}
        return reply

    # PIN

    def pin(self, request):
        subcommand = request[2]
        if subcommand == 1:
            return {3: self.retries}
        need(request[1] == 2, 0x02)
        if subcommand == 2:
            key = dict(ES256.from_cryptography_key(self.agreement.public_key()))
            key[3] = -25
            return {1: key}
        theirs = request[3]
        need(theirs[1] == 2 and theirs[-1] == 1 and theirs.get(3) == -25, 0x02)
        point = ec.EllipticCurvePublicNumbers(
            int.from_bytes(theirs[-2], "big"), int.from_bytes(theirs[-3], "big"),
            ec.SECP256R1()).public_key()
        secret = self.protocol.kdf(self.agreement.exchange(ec.ECDH(), point))
        if subcommand == 3:
            need(not self.pin_hash, 0x33)
            need(self.protocol.authenticate(secret, request[5]) == request[4], 0x33)
            return self.choose(secret, request[5])
        if subcommand == 4:
            need(self.pin_hash, 0x35)
            need(self.protocol.authenticate(secret, request[5] + request[6]) == request[4], 0x33)
            self.check(secret, request[6])
            return self.choose(secret, request[5])
        need(subcommand in (5, 9), 0x3E)
        need(self.pin_hash, 0x35)
        need((subcommand == 9) == (9 in request), 0x14 if subcommand == 9 else 0x02)
        need(subcommand == 5 or request[9], 0x02)
        self.check(secret, request[6])
        self.token, self.rp = os.urandom(32), request.get(10)
        self.permissions = request.get(9, 3)
        return {2: self.protocol.encrypt(secret, self.token)}

    def choose(self, secret, encrypted):
        padded = self.protocol.decrypt(secret, encrypted)
        need(len(padded) == 64, 0x02)
        text = padded.rstrip(b"\0")
        need(4 <= len(text.decode()) and len(text) <= 63, 0x37)
        self.pin_hash, self.retries = hashlib.sha256(text).digest()[:16], 8
        self.token = None

    def check(self, secret, encrypted):
        need(self.retries, 0x32)
        need(self.misses < 3, 0x34)
        self.retries -= 1
        if self.protocol.decrypt(secret, encrypted) != self.pin_hash:
            self.misses += 1
            self.agreement = ec.generate_private_key(ec.SECP256R1())
            raise Refused(0x32 if not self.retries else 0x34 if self.misses == 3 else 0x31)
        self.retries, self.misses = 8, 0


class Device:
    """CTAPHID (CTAP 2.1 section 11.2), one transaction after the other."""

    def __init__(self, authenticator, read, write, habit=None):
        self.authenticator, self.read, self.write = authenticator, read, write
        self.habit, self.channels = habit, 0

    def serve(self):
        while (report := self.read()) is not None:
            channel, command, length = struct.unpack(">IBH", report[:7])
            if not command & 0x80:
                continue
            payload, sequence = report[7:], 0
            while len(payload) < length:
                report = self.read()
                if report is None:
                    return
                if report[:5] != struct.pack(">IB", channel, sequence):
                    self.send(channel, ERROR, b"\x04")
                    break
                payload, sequence = payload + report[5:], sequence + 1
            else:
                self.handle(channel, command & 0x7F, payload[:length])

    def handle(self, channel, command, payload):
        if command == INIT:
            given = channel
            if channel == 0xFFFFFFFF:
                self.channels += 1
                given = self.channels
            # CBOR, and no U2F messages.
            self.send(channel, INIT, payload + struct.pack(">IBBBBB", given, 2, 1, 0, 0, 0x0C))
        elif command == PING:
            self.send(channel, PING, payload)
        elif command == CBOR:
            if self.habit == "dies" and payload[:1] == bytes([MAKE]):
                sys.exit()
            if self.habit == "slow" and payload[:1] in (bytes([MAKE]), bytes([GET])):
                self.send(channel, KEEPALIVE, b"\x01")
                self.send(channel, KEEPALIVE, b"\x02")
            self.send(channel, CBOR, self.authenticator.answer(payload))
        elif command != CANCEL:
            self.send(channel, ERROR, b"\x01")

    def send(self, channel, command, payload):
        head = struct.pack(">IBH", channel, command | 0x80, len(payload))
        self.write((head + payload[:57]).ljust(64, b"\0"))
        for number, start in enumerate(range(57, len(payload), 59)):
            part = struct.pack(">IB", channel, number) + payload[start:start + 59]
            self.write(part.ljust(64, b"\0"))


def on_pty(habit):
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    print(os.ttyname(theirs), flush=True)

    def read():
        report = b""
        while len(report) < 65:
            part = os.read(ours, 65 - len(report))
            if not part:
                return None
            report += part
        return report[1:]
    Device(Authenticator(), read, lambda report: os.write(ours, report), habit).serve()


def on_socket(path):
    authenticator = Authenticator()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen()
    print(path, flush=True)
    while True:
        connection, _ = listener.accept()
        with connection:
            # As on hidraw: a report that comes begins with its number, 0, and none that goes does.
            Device(authenticator, lambda: exactly(connection, 65)[1:] or None,
                   connection.sendall).serve()


def on_descriptor(number):
    connection = socket.socket(fileno=number)
    Device(Authenticator(), lambda: exactly(connection, 64) or None, connection.sendall).serve()


def exactly(connection, length):
    return connection.recv(length, socket.MSG_WAITALL)


if __name__ == "__main__":
    {"pty": lambda: on_pty(sys.argv[2] if len(sys.argv) > 2 else None),
     "socket": lambda: on_socket(sys.argv[2]),
     "fd": lambda: on_descriptor(int(sys.argv[2]))}[sys.argv[1]]()
