# SPDX-License-Identifier: Apache-2.0
"""Makes the ceremonies that all libraries are measured with, one JSON line each.

Needs `cryptography` and `fido2` (Scripts/requirements.txt), so that no library under test makes
its own questions. A line has the members that `gatehouse inspect webauthn-…` reads, and `work`.
"""

import base64
import datetime
import hashlib
import json
import secrets

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, mldsa, padding, rsa
from cryptography.x509.oid import NameOID, ObjectIdentifier
from fido2 import cbor

RP_ID, ORIGIN = "example.org", "https://example.org"
AAGUID = bytes.fromhex("01020304050607080102030405060708")
SHA = {256: hashes.SHA256(), 384: hashes.SHA384(), 512: hashes.SHA512()}


def b64(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def ecdsa(name, algorithm, curve, number, size):
    key = ec.generate_private_key(curve)
    point = key.public_key().public_numbers()
    width = (curve.key_size + 7) // 8
    cose = {1: 2, 3: algorithm, -1: number, -2: point.x.to_bytes(width, "big"),
            -3: point.y.to_bytes(width, "big")}
    return name, cose, lambda data: key.sign(data, ec.ECDSA(SHA[size])), key


def rsa_key(name, algorithm, size, pss=False):
    key = rsa.generate_private_key(65537, 2048)
    numbers = key.public_key().public_numbers()
    cose = {1: 3, 3: algorithm, -1: numbers.n.to_bytes(256, "big"), -2: b"\1\0\1"}
    pad = padding.PSS(padding.MGF1(SHA[size]), size // 8) if pss else padding.PKCS1v15()
    return name, cose, lambda data: key.sign(data, pad, SHA[size]), key


def edwards(name, algorithm, curve, module):
    key = module.generate()
    cose = {1: 1, 3: algorithm, -1: curve, -2: raw_public(key)}
    return name, cose, key.sign, key


def lattice(name, algorithm, module):
    key = module.generate()
    return name, {1: 7, 3: algorithm, -1: raw_public(key)}, key.sign, key


def raw_public(key):
    return key.public_key().public_bytes(serialization.Encoding.Raw,
                                         serialization.PublicFormat.Raw)


def keys():
    yield ecdsa("ES256", -7, ec.SECP256R1(), 1, 256)
    yield ecdsa("ES384", -35, ec.SECP384R1(), 2, 384)
    yield ecdsa("ES512", -36, ec.SECP521R1(), 3, 512)
    yield ecdsa("ES256K", -47, ec.SECP256K1(), 8, 256)
    yield edwards("EdDSA", -8, 6, ed25519.Ed25519PrivateKey)
    yield edwards("Ed448", -53, 7, ed448.Ed448PrivateKey)
    yield rsa_key("RS256", -257, 256)
    yield rsa_key("RS512", -259, 512)
    yield rsa_key("PS256", -37, 256, pss=True)
    yield lattice("ML-DSA-44", -48, mldsa.MLDSA44PrivateKey)
    yield lattice("ML-DSA-65", -49, mldsa.MLDSA65PrivateKey)
    yield lattice("ML-DSA-87", -50, mldsa.MLDSA87PrivateKey)


def client_data(kind, challenge):
    return json.dumps({"type": "webauthn." + kind, "challenge": b64(challenge), "origin": ORIGIN,
                       "crossOrigin": False}, separators=(",", ":")).encode()


def authenticator_data(flags, count, attested=b""):
    return (hashlib.sha256(RP_ID.encode()).digest() + bytes([flags]) + count.to_bytes(4, "big")
            + attested)


def line(work, challenge, identifier, response, **more):
    identifier = b64(identifier)
    print(json.dumps({
        "work": work, "rpId": RP_ID, "origins": [ORIGIN], "challenge": b64(challenge),
        "userVerification": "required",
        "response": {"id": identifier, "rawId": identifier, "type": "public-key",
                     "clientExtensionResults": {},
                     "response": {k: b64(v) for k, v in response.items()}}, **more}))


def assertion(name, cose, sign, identifier):
    challenge = secrets.token_bytes(32)
    client = client_data("get", challenge)
    data = authenticator_data(0x1D, 7)
    signature = sign(data + hashlib.sha256(client).digest())
    line(f"{name} sign-in", challenge, identifier,
         {"clientDataJSON": client, "authenticatorData": data, "signature": signature},
         kind="assertion", credential={"id": b64(identifier), "signCount": 3,
                                       "publicKey": b64(cbor.encode(cose)),
                                       "backupEligible": True})


def registration(work, cose, identifier, statement, **more):
    challenge = secrets.token_bytes(32)
    client = client_data("create", challenge)
    data = authenticator_data(
        0x5D, 7, AAGUID + len(identifier).to_bytes(2, "big") + identifier + cbor.encode(cose))
    form, made = statement(data + hashlib.sha256(client).digest())
    line(work, challenge, identifier,
         {"clientDataJSON": client,
          "attestationObject": cbor.encode({"fmt": form, "attStmt": made, "authData": data})},
         kind="registration", algorithms=[cose[3]], **more)


def name(common, unit=None):
    parts = [x509.NameAttribute(NameOID.COUNTRY_NAME, "SE"),
             x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Measured"),
             x509.NameAttribute(NameOID.COMMON_NAME, common)]
    if unit:
        parts.insert(2, x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, unit))
    return x509.Name(parts)


def certificate(subject, issuer, key, signer, authority):
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = (x509.CertificateBuilder().subject_name(subject).issuer_name(issuer)
               .public_key(key.public_key()).serial_number(x509.random_serial_number())
               .not_valid_before(now - datetime.timedelta(days=1))
               .not_valid_after(now + datetime.timedelta(days=30))
               .add_extension(x509.BasicConstraints(authority, None), critical=True))
    if not authority:
        builder = builder.add_extension(x509.UnrecognizedExtension(
            ObjectIdentifier("1.3.6.1.4.1.45724.1.1.4"), b"\x04\x10" + AAGUID), critical=False)
    return builder.sign(signer, hashes.SHA256())


def packed():
    """Signed by a certificate, which a root signed: two ECDSA verifications in all."""
    root_key, leaf_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    root = certificate(name("Root"), name("Root"), root_key, root_key, True)
    leaf = certificate(name("Leaf", "Authenticator Attestation"), name("Root"), leaf_key,
                       root_key, False)
    der = [c.public_bytes(serialization.Encoding.DER) for c in (leaf, root)]
    _, cose, _, _ = ecdsa("ES256", -7, ec.SECP256R1(), 1, 256)

    def statement(signed):
        signature = leaf_key.sign(signed, ec.ECDSA(hashes.SHA256()))
        return "packed", {"alg": -7, "sig": signature, "x5c": [der[0]]}
    registration("ES256 registration, packed x5c", cose, secrets.token_bytes(32), statement,
                 attestation="direct", trustAnchors=[b64(der[1])])


for label, public, signer, _ in keys():
    credential = secrets.token_bytes(32)
    assertion(label, public, signer, credential)
    if label == "ES256":
        registration("ES256 registration, none", public, credential, lambda _: ("none", {}))
packed()
