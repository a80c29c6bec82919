# SPDX-License-Identifier: Apache-2.0
"""Devices that sign in and unlock, timed from outside.

    devices.py ISSUER ADMIN_TOKEN_FILE USER PASSWORD DEVICES SECONDS FOLDER

Registers so many devices with a key of one person each, then prints one JSON object: the median of a
login and of a key exchange, of an empty request, of each primitive (all in milliseconds; commits to a
database in FOLDER), and what became of a minute in which every device signs in once. The device's own
work (signing, opening, writing a request, reading an answer) is not timed: the clock runs from the
first byte sent to the last byte received, for an empty request as for all others. Everything is taken in
turns, once for each login: while a device signs, the provider's core has gone to sleep, and what is
held against it must have been woken from the same sleep.
"""

import concurrent.futures
import itertools
import json
import os
import pathlib
import queue
import re
import socket
import sqlite3
import statistics
import sys
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "EndToEnd" / "peers" / "platform_sso"))

from cryptography.hazmat.primitives import hashes  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402
from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: E402

from browser import Browser  # noqa: E402
from mac import JWT_BEARER, LOGIN, Mac, Provider, b64u, need, new_key, sign  # noqa: E402

WAKE_SECONDS = 60
CONNECTIONS = 32
REDIRECT = "http://127.0.0.1/callback"
LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)


class Line:
    """One connection that stays open."""

    def __init__(self, issuer):
        place = urllib.parse.urlsplit(issuer)
        self.socket = socket.create_connection(("127.0.0.1", place.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.host = place.netloc

    def post(self, url, fields):
        """Milliseconds, status and body, as of ``exchange``."""
        body = urllib.parse.urlencode(fields)
        path = urllib.parse.urlsplit(url).path
        return self.exchange(
            f"POST {path} HTTP/1.1\r\nHost: {self.host}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}".encode())

    def get(self, path):
        return self.exchange(f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode())

    def exchange(self, request):
        begin = time.perf_counter()
        self.socket.sendall(request)
        answer = self.more()
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer += self.more()
        length = end + 4 + int(LENGTH.search(answer, 0, end).group(1))
        while len(answer) < length:
            answer += self.more()
        spent = (time.perf_counter() - begin) * 1000
        return spent, int(answer[9:12]), answer[end + 4:]

    def more(self):
        piece = self.socket.recv(65_536)
        need(piece, "the provider has hung up")
        return piece


class Device:
    def __init__(self, provider, number):
        self.mac = Mac(provider, f"BENCH{number:06}")
        self.key = new_key()

    def register(self, user, token, bearer):
        status, answer = self.mac.register(self.mac.registration(registration_token=token))
        need(status == 201, answer)
        body = json.dumps(self.mac.user_registration(user, self.key)).encode()
        status, _, answer = self.mac.provider.send(
            self.mac.provider.urls["user_registration"], body, "application/json",
            {"Authorization": "Bearer " + bearer})
        need(status == 201, answer)

    def nonce(self, line):
        spent, status, body = line.post(
            self.mac.provider.urls["nonce"], {"grant_type": "srv_challenge"})
        need(status == 200, body)
        return spent, json.loads(body)["Nonce"]

    def send(self, line, name, message, version="1.0"):
        return line.post(self.mac.provider.urls[name], {
            "platform_sso_version": version, "grant_type": JWT_BEARER, "assertion": message})

    def login(self, line, user):
        """Milliseconds that the provider took, and the tokens."""
        asked, nonce = self.nonce(line)
        claims = self.mac.key_claims(user, self.key, nonce=nonce)
        message = sign(self.mac.signing, {"typ": LOGIN}, claims)
        spent, status, body = self.send(line, "token", message)
        return asked + spent, status, body, claims

    def unlock(self, line, claims):
        message = sign(
            self.mac.signing, {"typ": "platformsso-key-request+jwt"}, claims)
        spent, status, body = self.send(line, "key", message, "2.0")
        need(status == 200, (status, body))
        return spent, body


def access_token(provider, user, password):
    """Of somebody who signs in with a browser to register keys."""
    verifier = "bench-verifier-bench-verifier-bench-verifier-0123456789"
    digest = hashes.Hash(hashes.SHA256())
    digest.update(verifier.encode())
    url = provider.issuer + "/authorize?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": "platform-sso", "redirect_uri": REDIRECT,
        "scope": "openid urn:apple:platformsso", "state": "s",
        "code_challenge": b64u(digest.finalize()), "code_challenge_method": "S256"})
    browser = Browser()
    answer = browser.open(url)
    # The address at the end is nobody's: the code is read off it.
    last = stop_at(browser, url, answer, user, password)
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(last).query)["code"][0]
    status, _, body = provider.form(provider.issuer + "/token", {
        "grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT,
        "client_id": "platform-sso", "code_verifier": verifier})
    need(status == 200, body)
    return json.loads(body)["access_token"]


def stop_at(browser, url, answer, user, password):
    real = browser.open

    def guarded(target, form=None):
        if target.startswith(REDIRECT):
            return 200, None, ""
        return real(target, form)
    browser.open = guarded
    return browser.sign_in(url, answer, user, password)[1]


def timed(work):
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


class Beside:
    """What a login and an exchange are made of, taken in turns with them."""

    def __init__(self, device, line, user, folder):
        self.device, self.line, self.user, self.samples = device, line, user, {}
        self.warm = [line.get("/health/live")[0] for _ in range(1000)]
        key, other, message = new_key(), new_key(), b"x" * 1500
        signature = key.sign(message, ec.ECDSA(hashes.SHA256()))
        public = key.public_key()
        cipher, iv = AESGCM(os.urandom(32)), os.urandom(12)
        store = sqlite3.connect(os.path.join(folder, "beside.db"), isolation_level=None)
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
                          "CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB)"):
            store.execute(statement)
        self.work = {
            "verify": lambda: public.verify(signature, message, ec.ECDSA(hashes.SHA256())),
            "sign": lambda: key.sign(message, ec.ECDSA(hashes.SHA256())),
            "agree": lambda: other.exchange(ec.ECDH(), public),
            "seal": lambda: cipher.encrypt(iv, message, b""),
            "commit": lambda: store.execute("INSERT INTO t(v) VALUES (randomblob(100))")}

    def take(self):
        """One of each; the empty request after as much work of the device's as a login has."""
        mac = self.device.mac
        sign(mac.signing, {"typ": LOGIN}, mac.key_claims(self.user, self.device.key, nonce="n"))
        self.samples.setdefault("empty", []).append(self.line.get("/health/live")[0])
        for name, work in self.work.items():
            self.samples.setdefault(name, []).append(timed(work))

    def medians(self):
        return {name: statistics.median(each) for name, each in self.samples.items()}


def one_by_one(devices, line, user, seconds, beside):
    """Medians of a login and of an exchange. Each login is another device's: one that signed in all the
    time would have thousands of grants that are about to end."""
    device, logins, exchanges = devices[0], [], []
    end = time.perf_counter() + seconds
    _, status, body, claims = device.login(line, user)
    need(status == 200, body)
    token = device.mac.opened(
        (status, "application/platformsso-login-response+jwt", body), claims,
        "platformsso-login-response+jwt")["refresh_token"]
    claims = device.mac.unlock_claims(user, token, "key_request", nonce=device.nonce(line)[1])
    body = device.unlock(line, claims)[1]
    context = device.mac.opened(
        (200, "application/platformsso-key-response+jwt", body), claims,
        "platformsso-key-response+jwt")["key_context"]
    while time.perf_counter() < end or len(exchanges) < 20:
        claims = device.mac.exchange_claims(user, token, context, nonce=device.nonce(line)[1])
        exchanges.append(device.unlock(line, claims)[0])
        beside.take()
    end = time.perf_counter() + seconds
    for device in itertools.cycle(devices):
        if time.perf_counter() >= end and len(logins) >= 20:
            break
        spent, status, body, _ = device.login(line, user)
        need(status == 200, body)
        logins.append(spent)
        beside.take()
    return statistics.median(logins), statistics.median(exchanges)


def wake(devices, issuer, user):
    """Each device signs in once, at its own moment of the minute; nobody waits for anybody."""
    lines, spent, errors, lock = queue.Queue(), [], [], threading.Lock()
    for _ in range(CONNECTIONS):
        lines.put(Line(issuer))
    start = time.perf_counter()

    def one(index, device):
        moment = start + WAKE_SECONDS * index / len(devices)
        time.sleep(max(0, moment - time.perf_counter()))
        line = lines.get()
        waited = (time.perf_counter() - moment) * 1000
        try:
            took, status, body, _ = device.login(line, user)
            with lock:
                spent.append(took + waited)
                if status != 200:
                    errors.append((status, body.decode()[:200]))
        except Exception as error:
            with lock:
                errors.append((0, repr(error)))
            line = Line(issuer)
        finally:
            lines.put(line)
    with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(lambda pair: one(*pair), enumerate(devices)))
    ordered = sorted(spent)
    at = lambda share: ordered[min(len(ordered) - 1, int(len(ordered) * share))]
    return {"p50_ms": at(0.5), "p99_ms": at(0.99), "errors": len(errors),
            "examples": errors[:3], "seconds": time.perf_counter() - start}


def main():
    issuer, token_file, user, password, count, seconds, folder = sys.argv[1:]
    provider = Provider(issuer, pathlib.Path(token_file).read_text().strip(),
                        pathlib.Path(folder, "platform-sso", "serve.log"))
    provider.admin("PUT", "/projects/default", {
        "platform_sso": {"enabled": True, "registration_by_people": True}})
    # The client is made when the first machine asks for something.
    first = Mac(provider, "BENCH-FIRST")
    token = provider.registration_token(maximum_uses=int(count) + 1)
    first.register(first.registration(registration_token=token))
    first.login(first.password_claims(user, password))
    devices = [Device(provider, number) for number in range(int(count))]
    bearer, made = access_token(provider, user, password), time.monotonic()

    def register(device):
        nonlocal bearer, made
        if time.monotonic() - made > 600:
            bearer, made = access_token(provider, user, password), time.monotonic()
        device.register(user, token, bearer)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(register, devices))
    line = Line(issuer)
    beside = Beside(devices[0], line, user, folder)
    login, exchange = one_by_one(devices, line, user, float(seconds), beside)
    print(json.dumps({
        "login_ms": login, "exchange_ms": exchange, "beside_ms": beside.medians(),
        "warm_empty_ms": statistics.median(beside.warm), "wake": wake(devices, issuer, user)}))


main()
