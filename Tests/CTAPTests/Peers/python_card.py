# SPDX-License-Identifier: Apache-2.0
"""The authenticator of python_authenticator.py as a smart card: no code of ours on its side.

    python_card.py PORT [slow|leaves]    puts the card into vsmartcard's virtual reader

Written from CTAP 2.1 section 11.3 and ISO/IEC 7816-4, and strict: an APDU that a client must not
send is refused, so that our client is not tested against our own opinion of it only. With `slow`
the card says twice that it is still at work before it answers a registration or a sign-in; with
`leaves` it is taken off the reader when the last part of a registration arrives.
"""

import socket
import struct
import sys

from python_authenticator import GET, MAKE, Authenticator

AID = bytes.fromhex("A0000006472F0001")
# T=1 only, no historical bytes.
ANSWER_TO_RESET = bytes.fromhex("3B80800101")
OK, WRONG_LENGTH, NOT_NOW, WRONG_DATA = b"\x90\x00", b"\x67\x00", b"\x69\x85", b"\x6a\x80"
NOT_FOUND, NO_INSTRUCTION, NO_CLASS, WORKING = b"\x6a\x82", b"\x6d\x00", b"\x6e\x00", b"\x91\x00"
LONGEST = 1200


class Card:
    def __init__(self, habit=None):
        self.authenticator, self.habit = Authenticator(), habit
        self.reset()

    def reset(self):
        self.is_selected, self.chain, self.rest, self.waiting = False, None, b"", None

    def answer(self, apdu):
        """The response to one command; None when the card leaves."""
        if len(apdu) < 5:
            return WRONG_LENGTH
        cla, ins, p1, p2 = apdu[:4]
        data, expected = self.parsed(apdu[4:])
        if data is None:
            return WRONG_LENGTH
        if (cla, ins) == (0x00, 0xC0):
            if not self.rest or data or p1 or p2:
                return NOT_NOW
            return self.portion(expected or 256)
        self.rest = b""
        if (cla, ins) == (0x00, 0xA4):
            self.is_selected = (p1, p2, data) == (0x04, 0x00, AID)
            return b"FIDO_2_0" + OK if self.is_selected else NOT_FOUND
        if not self.is_selected:
            return NOT_NOW
        if cla & ~0x10 != 0x80:
            return NO_CLASS
        if cla & 0x10:
            return self.part(ins, p1, p2, data, expected)
        if self.chain is not None:
            head, whole = self.chain
            self.chain = None
            # Every part of a chain is the same command.
            if head != (ins, p1, p2):
                return WRONG_DATA
            data = whole + data
        return self.command(ins, p1, p2, data, expected)

    @staticmethod
    def parsed(body):
        """Data and what is expected, of a short APDU only: the reader is a contactless one."""
        if len(body) == 1:
            return b"", body[0] or 256
        length = body[0]
        if length == 0 or len(body) not in (1 + length, 2 + length):
            return None, None
        return body[1:1 + length], (body[1 + length] or 256) if len(body) > 1 + length else None

    def part(self, ins, p1, p2, data, expected):
        head, whole = self.chain or ((ins, p1, p2), b"")
        if head != (ins, p1, p2) or expected is not None or not data:
            self.chain = None
            return WRONG_DATA
        if len(whole + data) > LONGEST:
            self.chain = None
            return WRONG_LENGTH
        self.chain = (head, whole + data)
        return OK

    def command(self, ins, p1, p2, data, expected):
        if ins == 0x10 and p1 in (0x00, 0x80) and p2 == 0 and expected:
            if len(data) > LONGEST:
                return WRONG_LENGTH
            if self.habit == "leaves" and data[:1] == bytes([MAKE]):
                return None
            reply = self.authenticator.answer(data)
            if self.habit == "slow" and p1 == 0x80 and data[0] in (MAKE, GET):
                self.waiting = [reply, 2]
                return b"\x01" + WORKING
            return self.begin(reply, expected)
        if ins == 0x11 and self.waiting and p1 in (0x00, 0x11) and expected:
            reply, times = self.waiting
            if p1 == 0x11:
                self.waiting = None
                return b"\x2d" + OK
            if times > 1:
                self.waiting = [reply, times - 1]
                return b"\x02" + WORKING
            self.waiting = None
            return self.begin(reply, expected)
        return NO_INSTRUCTION

    def begin(self, reply, expected):
        self.rest = reply
        return self.portion(expected)

    def portion(self, expected):
        part, self.rest = self.rest[:expected], self.rest[expected:]
        return part + (b"\x61" + bytes([len(self.rest) % 256 if len(self.rest) < 256 else 0])
                       if self.rest else OK)


def serve(port, habit):
    """vpcd's protocol: a length of two bytes, then an APDU, or one byte about the power."""
    connection = socket.create_connection(("127.0.0.1", port))
    card = Card(habit)

    def read(count):
        data = b""
        while len(data) < count:
            more = connection.recv(count - len(data))
            if not more:
                sys.exit()
            data += more
        return data

    print("inserted", flush=True)
    while True:
        message = read(struct.unpack(">H", read(2))[0])
        if len(message) > 1:
            reply = card.answer(message)
            if reply is None:
                sys.exit()
        elif message == b"\x04":
            reply = ANSWER_TO_RESET
        else:
            card.reset()
            continue
        connection.sendall(struct.pack(">H", len(reply)) + reply)


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
