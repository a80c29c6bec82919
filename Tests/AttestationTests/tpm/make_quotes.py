#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes quotes.json: what a TPM says of a key and of how its machine was booted.

    make_quotes.py > quotes.json

Speaks to a fresh swtpm in bytes (TPM 2.0 Library Part 3), with nothing of ours: it makes an attestation
key, a key to register, extends two PCRs, certifies the key and quotes the PCRs, once on P-256 and once
with RSA. Byte strings are base64url without padding.
"""

import base64
import hashlib
import json
import pathlib
import socket
import struct
import subprocess
import tempfile
import time

SHA256, NULL, ECDSA, RSASSA, P256 = 0x000B, 0x0010, 0x0018, 0x0014, 0x0003
OWNER, ENDORSEMENT, PASSWORD = 0x40000001, 0x4000000B, 0x40000009
SIGNING = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 18
RESTRICTED = 1 << 16
RETRY = 0x922
CHALLENGE = hashlib.sha256(b"a nonce and the names of two keys").digest()
PCRS = [0, 7, 11]


def b64u(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def sized(data):
    return struct.pack(">H", len(data)) + data


class Reader:
    def __init__(self, data):
        self.data = data

    def take(self, count):
        part, self.data = self.data[:count], self.data[count:]
        return part

    def number(self, form):
        return struct.unpack(">" + form, self.take(struct.calcsize(">" + form)))[0]

    def sized(self):
        return self.take(self.number("H"))


class TPM:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)

    def run(self, code, handles=(), parameters=b"", authorized=0):
        body = b"".join(struct.pack(">I", handle) for handle in handles)
        if authorized:
            session = struct.pack(">IHBH", PASSWORD, 0, 0, 0) * authorized
            body += struct.pack(">I", len(session)) + session
        body += parameters
        tag = 0x8002 if authorized else 0x8001
        status = RETRY
        while status == RETRY:
            self.socket.sendall(struct.pack(">HII", tag, 10 + len(body), code) + body)
            answer = self.socket.recv(65536)
            status = struct.unpack(">I", answer[6:10])[0]
        if status:
            raise SystemExit(f"command {code:#x}: {status:#x}")
        return Reader(answer[10:])

    def primary(self, hierarchy, public):
        answer = self.run(0x131, [hierarchy], struct.pack(">HHH", 4, 0, 0) + sized(public)
                          + sized(b"") + struct.pack(">I", 0), authorized=1)
        handle = answer.number("I")
        answer.number("I")
        return handle, answer.sized()

    def signed(self, code, handles, parameters):
        answer = self.run(code, handles, parameters, authorized=len(handles))
        answer.number("I")
        return answer.sized(), signature(answer)

    def certify(self, key, signer):
        return self.signed(0x148, [key, signer], sized(CHALLENGE) + struct.pack(">H", NULL))

    def quote(self, signer):
        return self.signed(0x158, [signer], sized(CHALLENGE) + struct.pack(">H", NULL) + selection())

    def extend(self, index, data):
        self.run(0x182, [index], struct.pack(">IH", 1, SHA256) + hashlib.sha256(data).digest(),
                 authorized=1)

    def values(self):
        answer = self.run(0x17E, parameters=selection())
        answer.take(4 + len(selection()) + 4)
        return {str(index): b64u(answer.sized()) for index in PCRS}

    def flush(self, handle):
        self.run(0x165, parameters=struct.pack(">I", handle))


def selection():
    bits = sum(1 << index for index in PCRS)
    return struct.pack(">IHB", 1, SHA256, 3) + bits.to_bytes(3, "little")


def ecc(attributes):
    return struct.pack(">HHIHHHHHHHH", 0x0023, SHA256, attributes, 0, NULL, ECDSA, SHA256, P256,
                       NULL, 0, 0)


def rsa(attributes):
    return struct.pack(">HHIHHHHHIH", 0x0001, SHA256, attributes, 0, NULL, RSASSA, SHA256, 2048,
                       0, 0)


def signature(answer):
    kind, _ = answer.number("H"), answer.number("H")
    if kind == RSASSA:
        return answer.sized()

    def integer(data):
        data = data.lstrip(b"\0") or b"\0"
        data = b"\0" + data if data[0] & 0x80 else data
        return b"\x02" + bytes([len(data)]) + data
    numbers = integer(answer.sized()) + integer(answer.sized())
    return b"\x30" + bytes([len(numbers)]) + numbers


def jwk(public):
    reader = Reader(public)
    if reader.number("H") == 0x0023:
        reader.take(2 + 4 + 2 + 2 + 4 + 2 + 2)
        return {"kty": "EC", "crv": "P-256", "x": b64u(reader.sized().rjust(32, b"\0")),
                "y": b64u(reader.sized().rjust(32, b"\0"))}
    reader.take(2 + 4 + 2 + 2 + 4 + 2 + 4)
    return {"kty": "RSA", "n": b64u(reader.sized()), "e": "AQAB"}


def vouch(tpm, name, template, algorithm):
    signer, public = tpm.primary(ENDORSEMENT, template(SIGNING | RESTRICTED))
    key, area = tpm.primary(OWNER, ecc(SIGNING))
    info, certified = tpm.certify(key, signer)
    quoted, signed = tpm.quote(signer)
    tpm.flush(key)
    tpm.flush(signer)
    return {"name": name, "algorithm": algorithm, "challenge": b64u(CHALLENGE),
            "attestationKey": jwk(public), "publicKey": jwk(area), "publicArea": b64u(area),
            "certifyInfo": b64u(info), "signature": b64u(certified), "quoted": b64u(quoted),
            "quoteSignature": b64u(signed), "pcrs": tpm.values()}


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/socket"
        server = subprocess.Popen(
            ["swtpm", "socket", "--tpm2", "--tpmstate", "dir=" + folder, "--server",
             "type=unixio,path=" + path, "--flags", "startup-clear"])
        try:
            while not pathlib.Path(path).exists():
                time.sleep(0.05)
            tpm = TPM(path)
            tpm.extend(7, b"secure boot")
            tpm.extend(11, b"kernel")
            print(json.dumps([vouch(tpm, "P-256", ecc, -7), vouch(tpm, "RSA", rsa, -257)],
                             indent=1))
        finally:
            server.terminate()
            server.wait()


main()
