# SPDX-License-Identifier: Apache-2.0
"""Every way in which an answer can be wrong that Apple's documents let a device notice, each by its name.

What a fault changes: the claims of the ID token, the fields of the login response, the content of a key
response, the parts of the encryption, or the letters that go over the wire.
"""

import base64
import dataclasses
import hmac
import json
import time
import typing

from cryptography.hazmat.primitives.asymmetric import ec

from mac import b64u, field, new_key, point, secrets_of, sign, unb64u


@dataclasses.dataclass
class Fault:
    claims: typing.Callable = None
    response: typing.Callable = None
    content: typing.Callable = None
    envelope: typing.Callable = None
    wire: typing.Callable = None


def setting(**values):
    """Sets members, or takes those away whose value is None."""
    def change(target):
        for name, value in values.items():
            value = value() if callable(value) else value
            if value is None:
                target.pop(name, None)
            else:
                target[name] = value
    return change


def in_response(change):
    return Fault(response=lambda response, provider: change(response))


def token_again(header, key=None):
    """The same claims under another header, signed by another key or by nobody."""
    def change(response, provider):
        head, body, signature = response["id_token"].split(".")
        if key:
            response["id_token"] = sign(key(provider), header, json.loads(unb64u(body)))
        else:
            response["id_token"] = ".".join(
                [b64u(json.dumps(header).encode()), body, "" if header["alg"] == "none" else
                 signature])
    return Fault(response=change)


def with_secret(form):
    """A token that is good for whoever takes the published key for a secret, written in that form."""
    def change(response, provider):
        header = {"alg": "HS256", "kid": "signer", "typ": "JWT"}
        text = b64u(json.dumps(header).encode()) + "." + response["id_token"].split(".")[1]
        secret = secrets_of(provider.signer, use="sig", alg="ES256", kid="signer")[form]
        response["id_token"] = text + "." + b64u(hmac.digest(secret, text.encode(), "sha256"))
    return Fault(response=change)


def flipped(index):
    """One part of the message with its last bit changed."""
    def change(text):
        parts = text.split(".")
        raw = bytearray(unb64u(parts[index]))
        raw[-1] ^= 1
        parts[index] = b64u(bytes(raw))
        return ".".join(parts)
    return Fault(wire=change)


def header(**values):
    return Fault(envelope=lambda parts: setting(**values)(parts["header"]))


def part(name, value):
    return Fault(envelope=lambda parts: parts.update({name: value(parts)}))


def later(seconds):
    return lambda: int(time.time()) + seconds


def other_curve():
    x = ec.generate_private_key(ec.SECP384R1()).public_key().public_numbers()
    return {"kty": "EC", "crv": "P-384", "x": b64u(x.x.to_bytes(48, "big")),
            "y": b64u(x.y.to_bytes(48, "big"))}


# Those that a login or a refresh meets; those of a key exchange begin with "key".
FAULTS = {
    "claims: another issuer": Fault(claims=setting(iss="https://other.example.com")),
    "claims: no issuer": Fault(claims=setting(iss=None)),
    "claims: another audience": Fault(claims=setting(aud="other")),
    "claims: no audience": Fault(claims=setting(aud=None)),
    "claims: several audiences, none of them ours": Fault(claims=setting(aud=["a", "b"])),
    "claims: no time of issue": Fault(claims=setting(iat=None)),
    "claims: several audiences without azp": Fault(
        claims=setting(aud=["platform-sso", "other"], azp=None)),
    "claims: another azp": Fault(claims=setting(azp="other")),
    "claims: another nonce": Fault(claims=setting(nonce="other")),
    "claims: no nonce": Fault(claims=setting(nonce=None)),
    # A name does not make them the same person (OpenID Connect Core 12.2).
    "claims: another subject": Fault(claims=setting(sub="somebody else")),
    "claims: no subject": Fault(claims=setting(sub=None)),
    "claims: an empty subject": Fault(claims=setting(sub="")),
    "claims: a subject in another case": Fault(claims=setting(sub="Subject")),
    "claims: another time of sign-in": Fault(claims=setting(auth_time=later(600))),
    "claims: issued in the future": Fault(claims=setting(iat=later(7200), exp=later(9000))),
    "claims: expired": Fault(claims=setting(iat=later(-9000), exp=later(-7200))),
    "claims: no expiry": Fault(claims=setting(exp=None)),
    "claims: not before tomorrow": Fault(claims=setting(nbf=later(86_400))),
    "token: none": in_response(setting(id_token=None)),
    "token: algorithm none": token_again({"alg": "none", "kid": "signer", "typ": "JWT"}),
    **{f"token: HS256 with the public key as {form}": with_secret(form)
       for form in secrets_of(new_key())},
    "token: another algorithm over the same signature": token_again(
        {"alg": "RS256", "kid": "signer", "typ": "JWT"}),
    "token: key without a name": token_again(
        {"kid": None, "typ": "JWT"}, lambda provider: provider.signer),
    "token: key of nobody": token_again({"kid": "nobody"}, lambda provider: provider.signer),
    "token: foreign signature": token_again(
        {"kid": "signer"}, lambda provider: provider.foreign),
    "token: by the encryption key": token_again(
        {"kid": "encryption"}, lambda provider: provider.encryption),
    "response: no refresh token": in_response(setting(refresh_token=None)),
    "response: no lifetime": in_response(
        setting(expires_in=None, refresh_token_expires_in=None)),
    "header: no epk": header(epk=None),
    "header: epk on another curve": header(epk=other_curve()),
    "header: no apu": header(apu=None),
    "header: apu of another key": header(
        apu=b64u(field(b"APPLE") + field(point(new_key())))),
    "header: compressed": header(zip="DEF"),
    "header: algorithm dir": header(alg="dir"),
    "header: algorithm ECDH-ES+A256KW": header(alg="ECDH-ES+A256KW"),
    "header: A128GCM": header(enc="A128GCM"),
    "header: HPKE": header(alg="HPKE-P256-SHA256-A256GCM", enc="dir"),
    "encryption: another recipient": part("recipient", lambda _: new_key().public_key()),
    "encryption: another apv": part("apv", lambda parts: parts["apv"] + b"\0"),
    "encryption: no JSON inside": part("text", lambda _: b"<html>"),
    "wire: changed ciphertext": flipped(3),
    "wire: changed tag": flipped(4),
    "wire: changed iv": flipped(2),
    "wire: iv of 96 bytes": Fault(wire=lambda text: ".".join(
        part if index != 2 else b64u(bytes(96)) for index, part in enumerate(text.split(".")))),
    "wire: in the clear": Fault(wire=lambda text: json.dumps(
        {"id_token": text, "refresh_token": "stolen", "expires_in": 3600})),
    "wire: empty": Fault(wire=lambda text: ""),
    "wire: a page": Fault(wire=lambda text: "<html></html>"),
    "wire: four parts": Fault(wire=lambda text: text.rsplit(".", 1)[0]),
    "wire: a wrapped key": Fault(wire=lambda text: text.replace("..", ".AAAA.", 1)),
    "wire: too long": Fault(wire=lambda text: "A" * 400_000),
    "keys: none": Fault(),
    "keys: another under the same name": Fault(),
    "nonce: 503": Fault(),
    "nonce: another name": Fault(),
    "status 500": Fault(),
    "key: too short": Fault(content=setting(key=base64.b64encode(b"k" * 31).decode())),
    "key: another": Fault(content=setting(key=base64.b64encode(b"k" * 32).decode())),
    "key: none": Fault(content=setting(key=None)),
    "key: expired": Fault(content=setting(iat=later(-9000), exp=later(-7200))),
}
