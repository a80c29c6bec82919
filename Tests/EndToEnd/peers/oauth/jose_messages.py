# SPDX-License-Identifier: Apache-2.0
"""JWS and JWE made by joserfc, one line each, as input of `gatehouse inspect`.

    jose_messages.py jws    honest and spoilt signatures in every algorithm
    jose_messages.py jwe    the same for encryption

Each line also says what to expect ("expect") and what was done ("about"); inspect reads past both.
"""

import base64
import json
import secrets
import sys

from joserfc import jwe, jws
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

PAYLOAD = "Schöne Grüße from joserfc"
RSA = RSAKey.generate_key(2048)
EC = {curve: ECKey.generate_key(curve) for curve in ("P-256", "P-384", "P-521")}
ED = OKPKey.generate_key("Ed25519")
X = OKPKey.generate_key("X25519")


def oct_key(size):
    return OctKey.import_key(secrets.token_bytes(size))


def spoil(text, part):
    """One bit of one part turned round."""
    parts = text.split(".")
    raw = bytearray(base64.urlsafe_b64decode(parts[part] + "=" * (-len(parts[part]) % 4)))
    raw[len(raw) // 2] ^= 1
    parts[part] = base64.urlsafe_b64encode(bytes(raw)).rstrip(b"=").decode()
    return ".".join(parts)


def line(about, expect, **members):
    print(json.dumps({**members, "expect": expect, "about": about}))


def signatures():
    keys = {"ES256": EC["P-256"], "ES384": EC["P-384"], "ES512": EC["P-521"],
            "RS256": RSA, "RS384": RSA, "RS512": RSA, "PS256": RSA, "PS384": RSA, "PS512": RSA,
            "EdDSA": ED, "HS256": oct_key(32), "HS384": oct_key(48), "HS512": oct_key(64)}
    for algorithm, key in keys.items():
        text = jws.serialize_compact({"alg": algorithm}, PAYLOAD, key, algorithms=[algorithm])
        public = key.as_dict(private=algorithm.startswith("HS"))
        line(algorithm, "accepted", jws=text, jwk=public, alg=algorithm)
        line(algorithm + ", signature spoilt", "refused", jws=spoil(text, 2), jwk=public,
             alg=algorithm)
        line(algorithm + ", payload spoilt", "refused", jws=spoil(text, 1), jwk=public,
             alg=algorithm)
        other = "RS256" if algorithm != "RS256" else "ES256"
        line(algorithm + ", another algorithm pinned", "refused", jws=text, jwk=public, alg=other)


def encryptions():
    wraps = {"ECDH-ES": EC["P-256"], "ECDH-ES+A128KW": EC["P-384"], "ECDH-ES+A256KW": EC["P-521"],
             "RSA-OAEP": RSA, "RSA-OAEP-256": RSA, "A128KW": oct_key(16), "A256KW": oct_key(32)}
    contents = {"A128GCM": 16, "A256GCM": 32, "A128CBC-HS256": 32, "A256CBC-HS512": 64}
    for algorithm, key in wraps.items():
        for content in contents:
            one(algorithm, content, key)
    one("ECDH-ES", "A256GCM", X)
    for content, size in contents.items():
        one("dir", content, oct_key(size))


def one(algorithm, content, key):
    registry = jwe.JWERegistry(algorithms=[algorithm, content])
    text = jwe.encrypt_compact({"alg": algorithm, "enc": content}, PAYLOAD.encode(), key,
                               registry=registry)
    secret = key.as_dict(private=True)
    line(f"{algorithm} {content}", "accepted", jwe=text, jwk=secret)
    line(f"{algorithm} {content}, ciphertext spoilt", "refused", jwe=spoil(text, 3), jwk=secret)
    line(f"{algorithm} {content}, tag spoilt", "refused", jwe=spoil(text, 4), jwk=secret)


if __name__ == "__main__":
    {"jws": signatures, "jwe": encryptions}[sys.argv[1]]()
