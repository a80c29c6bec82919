# SPDX-License-Identifier: Apache-2.0
"""Schemathesis of `/registration`, with an app behind it.

Most of what a generator makes up is refused at the first check: it has no key, no nonce, no person.
Two of three requests that fit the document are therefore given what a real app would send, with
a person, a key and a challenge of its own, and all others stay as they were made. What was answered
to which operation is written down, for the test to count.

Loaded by SCHEMATHESIS_HOOKS; GATEHOUSE_EXAMINATION is the file with what to know of the provider.
"""

import base64
import collections
import hashlib
import json
import os
import sys
import time
import urllib.parse
import uuid

import cbor2
import requests
import schemathesis
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from schemathesis.generation.modes import GenerationMode

sys.path.insert(0, os.path.dirname(__file__))
from walker import Walker  # noqa: E402

with open(os.environ["GATEHOUSE_EXAMINATION"], encoding="utf-8") as _file:
    known = json.load(_file)
issuer = known["issuer"]
registration = issuer + "/registration"
bearer_grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
scopes = "openid registration"


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def compact(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def sign(payload, header, key):
    message = f"{encode(compact({'alg': 'ES256', **header}))}.{encode(payload)}"
    r, s = utils.decode_dss_signature(key.sign(message.encode(), ec.ECDSA(hashes.SHA256())))
    return f"{message}.{encode(r.to_bytes(32) + s.to_bytes(32))}"


def coordinates(key):
    numbers = key.public_key().public_numbers()
    return numbers.x.to_bytes(32), numbers.y.to_bytes(32)


def public(key):
    x, y = coordinates(key)
    return {"crv": "P-256", "kty": "EC", "x": encode(x), "y": encode(y)}


def make_key():
    return ec.generate_private_key(ec.SECP256R1())


def answered(answer):
    if not answer.ok:
        raise AssertionError(f"the app itself was refused: {answer.status_code} {answer.text}")
    return answer.json() if answer.content else {}


# The key that all tokens here are bound to.
prover = make_key()


def dpop(method, address, token=None):
    """RFC 9449 section 4.2."""
    claims = {
        "jti": str(uuid.uuid4()), "htm": method, "htu": address.split("?")[0].split("#")[0],
        "iat": int(time.time()),
    }
    if token:
        claims["ath"] = encode(hashlib.sha256(token.encode()).digest())
    return sign(compact(claims), {"typ": "dpop+jwt", "jwk": public(prover)}, prover)


class Proven(requests.auth.AuthBase):
    """Shows a token with the proof of its key, for the request as it goes out."""

    def __init__(self, token):
        self.token = token

    def __call__(self, request):
        request.headers["Authorization"] = f"DPoP {self.token}"
        request.headers["DPoP"] = dpop(request.method, request.url, self.token)
        return request


def tokens(**form):
    address = issuer + "/token"
    return answered(requests.post(
        address, data=form, headers={"DPoP": dpop("POST", address)}, timeout=30))


def post(path, body=None, token=None):
    return answered(requests.post(
        registration + path, json=body, auth=Proven(token) if token else None, timeout=30))


def proven_key(path, body=None, typ="app-key-proof"):
    """A new key with its proof, for a nonce of that address."""
    nonce, key = post(path, body)["nonce"], make_key()
    binding = hashlib.sha256(nonce.encode() + compact(public(key))).digest()
    proof = sign(binding, {"typ": typ}, key)
    return key, {"nonce": nonce, "public_key": public(key), "key_proof": proof}


def test_token():
    key = serialization.load_pem_private_key(known["test_key"].encode(), None)
    now = int(time.time())
    claims = {
        "iss": "testRegisterIssuer", "aud": "testRegisterAudience", "sub": str(uuid.uuid4()),
        "jti": str(uuid.uuid4()), "iat": now, "exp": now + 300,
    }
    return sign(compact(claims), {"typ": "JWT", "kid": known["test_key_id"]}, key)


def new_registration():
    key, members = proven_key("/challenge", {"method": "testKey"})
    return key, {
        **members, "method": "testKey", "registration_id": str(uuid.uuid4()),
        "evidence": {"token": test_token()}, "name": "An examiner",
    }


class App:
    """Somebody who has registered with a key, and is signed in by it."""

    def __init__(self):
        self.key, body = new_registration()
        made = post("", body)
        self.user, self.key_id = made["user_id"], made["key_id"]
        challenge = post("/sign-in/challenge")
        claims = {
            "iss": self.user, "sub": self.user, "aud": challenge["audience"],
            "jti": challenge["nonce"], "exp": int(time.time()) + 240,
        }
        assertion = sign(compact(claims), {"typ": "JWT", "kid": self.key_id}, self.key)
        self.token = tokens(
            grant_type=bearer_grant, assertion=assertion, scope=scopes,
            client_id=known["client"])["access_token"]

    def enrolled(self):
        answered(requests.put(registration + "/approvals/enrollment", json={}, timeout=30,
                              auth=Proven(self.token)))
        return self


class Visitor:
    """Anna, who has just signed in on a page: whoever adds passkeys must have been there."""

    def __init__(self):
        callback = known["callback"]
        verifier = encode(os.urandom(32))
        challenge = encode(hashlib.sha256(verifier.encode()).digest())
        address = issuer + "/authorize?" + urllib.parse.urlencode({
            "response_type": "code", "client_id": known["client"], "redirect_uri": callback,
            "scope": scopes, "state": "s", "nonce": "n", "code_challenge": challenge,
            "code_challenge_method": "S256",
        })
        back = Walker().authorize(address, callback, known["username"], known["password"])
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(back).query)["code"][0]
        self.token = tokens(
            grant_type="authorization_code", code=code, redirect_uri=callback,
            code_verifier=verifier, client_id=known["client"])["access_token"]

    def new_passkey(self):
        """What an authenticator says to the provider's question."""
        options = post("/passkeys/options", token=self.token)
        key, identifier = make_key(), os.urandom(32)
        x, y = coordinates(key)
        place = hashlib.sha256(options["publicKey"]["rp"]["id"].encode()).digest()
        cose = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        # User present and verified, with a key (WebAuthn Level 3 section 6.1).
        data = (place + b"\x45" + bytes(4) + bytes(16) + len(identifier).to_bytes(2)
                + identifier + cose)
        client = compact({
            "type": "webauthn.create", "challenge": options["publicKey"]["challenge"],
            "origin": issuer, "crossOrigin": False,
        })
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return {"ceremony": options["ceremony"], "name": "An examiner's", "credential": {
            "id": encode(identifier), "rawId": encode(identifier), "type": "public-key",
            "clientExtensionResults": {}, "response": {
                "clientDataJSON": encode(client), "attestationObject": encode(attestation),
                "transports": ["internal"],
            }}}


def ask(**wishes):
    """Somebody else asks for an approval."""
    return answered(requests.post(
        issuer + "/bc-authorize", auth=(known["desk"], known["desk_secret"]), timeout=30,
        data={"scope": "openid", "binding_message": "An examination", **wishes}))


def answer_of(app):
    ask(login_hint=app.user)
    [item] = answered(requests.get(registration + "/approvals", timeout=30,
                                   auth=Proven(app.token)))["items"]
    claims = {
        "iss": app.user, "sub": app.user, "aud": issuer, "jti": item["nonce"],
        "iat": int(time.time()), "approval": item["id"], "client_id": item["client_id"],
        "message": item["message"], "transaction_hash": "", "decision": "approved",
    }
    header = {"typ": "gatehouse-approval+jwt", "kid": app.key_id}
    return item["id"], {"answer": sign(compact(claims), header, app.key)}


def start():
    return {"identity_provider": "badge", "registration_id": str(uuid.uuid4()), "data": "4711"}


def new_authenticator():
    return {"kind": "biometric", "name": "A finger", **proven_key("/authenticators/challenge")[1]}


# What an app would send, by operation: a body, or what stands in the address.
bodies = {
    "registrationChallenge": lambda _: {"method": "testKey"},
    "register": lambda _: new_registration()[1],
    "startRegistration": lambda _: start(),
    "cancelRegistration": lambda _: {"transaction": post("/start", start())["transaction"]},
    "addAuthenticator": lambda _: new_authenticator(),
    "addPasskey": lambda visitor: visitor.new_passkey(),
    "claimApproval": lambda _: {"code": ask(approval_code="true")["approval_code"]},
    "openWebHandoff": lambda _: {"target": issuer + "/account"},
}
places = {
    "removeInstallation": lambda _: {"installation": "current"},
    "removeAuthenticator": lambda app: {
        "authenticator": post("/authenticators", new_authenticator(), app.token)["id"]},
    "removePasskey": lambda visitor: {
        "passkey": post("/passkeys", visitor.new_passkey(), visitor.token)["id"]},
}
# Whose tokens an operation is asked with: new people where it ends them, or counts.
visitors = {"passkeyOptions", "addPasskey", "removePasskey"}
newcomers = {
    "removeInstallation", "signOutEverywhere", "closeAccount", "addAuthenticator",
    "removeAuthenticator", "claimApproval", "answerApproval", "listApprovals",
    "readApprovalEnrollment",
}
enrolled = {"claimApproval", "answerApproval", "listApprovals", "readApprovalEnrollment"}
holders = {}
seen = collections.Counter()


def name(operation):
    return operation.definition.raw["operationId"]


def holder(operation):
    if operation in visitors:
        kind, make = "visitor", Visitor
    elif operation in newcomers:
        return App().enrolled() if operation in enrolled else App()
    else:
        kind, make = "app", App
    if kind not in holders:
        holders[kind] = make()
    return holders[kind]


@schemathesis.auth(refresh_interval=None)
class Tokens:
    """Credentials that a server gives to somebody who exists."""

    def get(self, case, context):
        who = holder(name(context.operation))
        holders[who.token] = who
        return who.token

    def set(self, case, data, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = name(context.operation)
    token = str((case.headers or {}).get("Authorization", "")).removeprefix("Bearer ")
    if token in holders:
        kwargs["auth"] = Proven(token)
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    seen[operation] += 1
    if seen[operation] % 3 == 0:
        return
    who = holders.get(token)
    if operation == "answerApproval" and who:
        identifier, case.body = answer_of(who)
        case.path_parameters = {"approval": identifier}
    elif operation in bodies:
        case.body = bodies[operation](who)
    elif operation in places and who:
        case.path_parameters = places[operation](who)


@schemathesis.hook
def after_call(context, case, response):
    # Other methods than the operation's own are tried at its address, and are no requests to it.
    if response.request.method != context.operation.method.upper():
        return
    line = json.dumps({"operation": name(context.operation), "status": response.status_code})
    with open(known["log"], "a", encoding="utf-8") as file:
        file.write(line + "\n")
