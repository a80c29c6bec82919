# SPDX-License-Identifier: Apache-2.0
"""App installations: registration with a signed JWT beside the disk's durable commits, and sign-in
by the installation's key beside client credentials, in the same rounds; App Attest beside its
signature checks and the app SDK's cached access token, each in one process on one core.

Requests are made before a round, for each is good for once. A sign-in is two requests, challenge
and token; both are measured, and the row is the rate of a whole one: 1 / (1/challenge + 1/token).
"""

import json
import statistics
import subprocess
import sys
import urllib.parse

from bench import gatehouse, load, probes, release
from bench.results import Row, describe, median_rate

# More than the server answers in a second, so that no round runs out of lines.
LINES_A_SECOND = 10_000


def rows(root, settings, binary, folder, build):
    python = root / ".venv" / "bin" / "python"
    if not python.exists():
        sys.exit("no .venv: Scripts/bootstrap test makes it")
    server = gatehouse.Gatehouse(binary, folder / "apps")
    try:
        key = folder / "issuer.pem"
        server.apply(state(issuer_key(key)))

        def lines(kind):
            path = folder / f"{kind}.txt"
            count = str(settings.seconds * LINES_A_SECOND)
            path.write_bytes(subprocess.run(
                [python, root / "Benchmarks" / "apps" / "installations.py", kind, server.origin,
                 key, count], check=True, capture_output=True).stdout)
            return path
        measured = [
            registration(settings, server, lines, folder), sign_in(settings, server, lines)]
    finally:
        server.stop()
    return measured + in_process(root, settings, build)


def in_process(root, settings, build):
    """App Attest beside the signature checks in it, and what a session's own token costs."""
    program = release.product(root, "app-speed", build)
    samples = {}
    for _ in range(settings.rounds):
        output = subprocess.run(
            [program, str(max(0.5, settings.seconds / 5))], check=True,
            capture_output=True, text=True).stdout
        for line in map(json.loads, output.splitlines()):
            samples.setdefault(line["work"], []).append(line["ns"])
    median = {work: statistics.median(times) for work, times in samples.items()}
    return [
        Row("App Attest verification", median["App Attest verification"] / 1000, "µs",
            [("its two signature checks", median["two P-384 signature checks"] / 1000, 1.3)],
            below=True, detail=samples),
        Row("SDK: cached accessToken()", median["cached access token"] / 1000, "µs",
            [("one microsecond", 1, 1)], below=True)]


def issuer_key(path):
    """Made by openssl; gives the public half."""
    subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-out", path], check=True, capture_output=True)
    return subprocess.run(["openssl", "pkey", "-in", path, "-pubout"], check=True,
                          capture_output=True, text=True).stdout


def state(public_key):
    project = dict(gatehouse.STATE["projects"][0])
    project["clients"] = project["clients"] + [{
        "client_id": "app", "client_name": "App", "token_endpoint_auth_method": "none",
        "grant_types": ["urn:ietf:params:oauth:grant-type:jwt-bearer"], "scope": "openid",
        "first_party": True, "id_token_signed_response_alg": "ES256"}]
    project["registration"] = {"methods": ["signedJWT"]}
    project["issuer_keys"] = [{"issuer": "https://idp.example", "kid": "k1", "alg": "ES256",
                               "public_key": public_key}]
    return {"projects": [project]}


def registration(settings, server, lines, folder):
    """Verification, person, installation, key, token and audit event in one durable commit."""
    samples, sticks = [], []
    for _ in range(settings.rounds):
        path = lines("registrations")
        sticks.append(probes.sqlite_commits(folder, max(2, settings.seconds // 2)))
        samples.append(load.wrk(
            settings, "lines", server.target.origin + "/registration", "application/json", path,
            min(settings.threads, settings.connections), '"installation_id"'))
    stick = sorted(sticks)[len(sticks) // 2]
    return Row("registration with a signed JWT", median_rate(samples), "/s",
               [("raw FULL commits", stick, 0.4)],
               detail={"ours": describe(samples), "raw FULL commits": sticks})


def sign_in(settings, server, lines):
    target = server.target
    form = urllib.parse.urlencode(
        {"grant_type": "client_credentials", "scope": target.service_scope})
    samples = {"challenge": [], "token": [], "client credentials": []}
    for _ in range(settings.rounds):
        path = lines("sign-ins")
        samples["token"].append(load.wrk(
            settings, "lines", target.token, "application/x-www-form-urlencoded", path,
            min(settings.threads, settings.connections), '"access_token"'))
        samples["challenge"].append(load.wrk(
            settings, "post", target.origin + "/registration/sign-in/challenge", "", "",
            '"nonce"'))
        samples["client credentials"].append(load.wrk(
            settings, "post", target.token, target.service_authorization, form,
            '"access_token"'))
    whole = 1 / sum(1 / median_rate(samples[name]) for name in ("challenge", "token"))
    return Row("sign-in with a device key", whole, "/s",
               [("client credentials", median_rate(samples["client credentials"]), 0.5)],
               detail={name: describe(each) for name, each in samples.items()})
