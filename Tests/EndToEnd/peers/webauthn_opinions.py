# SPDX-License-Identifier: Apache-2.0
"""Second opinions on WebAuthn responses: py_webauthn and python-fido2, as their users call them.

Reads lines of `{"kind": "registration" | "assertion", …}` with the members that `gatehouse inspect`
reads, and answers each with `{"py_webauthn": "accepted" | "reason", "python-fido2": …}`.
"""

import base64
import json
import sys

import webauthn
from fido2 import cbor
from fido2.cose import CoseKey
from fido2.server import Fido2Server
from fido2.webauthn import (Aaguid, AttestedCredentialData, PublicKeyCredentialRpEntity,
                            UserVerificationRequirement)
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.structs import AttestationFormat


def raw(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def known_to_py(algorithms):
    names = {int(one) for one in COSEAlgorithmIdentifier}
    return [COSEAlgorithmIdentifier(one) for one in algorithms if one in names]


def roots(question):
    """PEM by format, as py_webauthn takes them; none makes it skip the chain."""
    pem = [b"-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(raw(one))
           + b"-----END CERTIFICATE-----\n" for one in question.get("trustAnchors", [])]
    return {one: pem for one in AttestationFormat} if pem else None


def py_registration(question):
    webauthn.verify_registration_response(
        credential=question["response"], expected_challenge=raw(question["challenge"]),
        expected_rp_id=question["rpId"], expected_origin=question["origins"],
        require_user_verification=question["userVerification"] == "required",
        supported_pub_key_algs=known_to_py(question["algorithms"]),
        pem_root_certs_bytes_by_fmt=roots(question))


def py_assertion(question):
    credential = question["credential"]
    webauthn.verify_authentication_response(
        credential=question["response"], expected_challenge=raw(question["challenge"]),
        expected_rp_id=question["rpId"], expected_origin=question["origins"],
        credential_public_key=raw(credential["publicKey"]),
        credential_current_sign_count=credential["signCount"],
        require_user_verification=question["userVerification"] == "required")


def fido2_server(question):
    entity = PublicKeyCredentialRpEntity(id=question["rpId"], name="second opinion")
    server = Fido2Server(entity, attestation="direct",
                         verify_origin=lambda origin: origin in question["origins"])
    state = {"challenge": question["challenge"],
             "user_verification": UserVerificationRequirement(question["userVerification"])}
    return server, state


def fido2_registration(question):
    server, state = fido2_server(question)
    server.register_complete(state, question["response"])


def fido2_assertion(question):
    server, state = fido2_server(question)
    credential = question["credential"]
    key = CoseKey.parse(cbor.decode(raw(credential["publicKey"])))
    stored = AttestedCredentialData.create(Aaguid.NONE, raw(credential["id"]), key)
    server.authenticate_complete(state, [stored], question["response"])


JUDGES = {
    "registration": {"py_webauthn": py_registration, "python-fido2": fido2_registration},
    "assertion": {"py_webauthn": py_assertion, "python-fido2": fido2_assertion},
}


def opinion(judge, question):
    try:
        judge(question)
        return "accepted"
    except Exception as error:  # What a peer throws is its opinion.
        return f"{type(error).__name__}: {error}"


def main():
    for line in sys.stdin:
        asked = json.loads(line)
        judges = JUDGES[asked["kind"]]
        print(json.dumps({name: opinion(judge, asked) for name, judge in judges.items()}))


if __name__ == "__main__":
    main()
