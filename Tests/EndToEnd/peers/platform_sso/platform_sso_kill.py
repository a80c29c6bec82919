# SPDX-License-Identifier: Apache-2.0
"""A provider that dies at every request of a Mac that writes anything: before the request arrives, as soon as it has
begun to write, and when it was answered and nobody reads the answer.

    platform_sso_kill.py GATEHOUSE FOLDER [--database URL]

Starts the provider itself, in FOLDER. The Mac asks once more where nobody answered: first with the very message that
was lost, which is good for as long as nobody has seen it, then with a new one. Then all is done, once, and
`store verify` finds nothing. Prints one JSON object: what was done, and how often the provider died of it.
"""

import base64
import json
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from agent_machine import eventually
from holding_proxy import HoldingProxy
from mac import Mac, Provider, error_of, need, new_key, sign, unb64u

USER, PASSWORD = "anna", "correct horse battery staple"
KEY_RESPONSE = "platformsso-key-response+jwt"
MOMENTS = ("before", "within", "after")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Lost(Exception):
    """Nobody has answered."""


class LosingProvider(Provider):
    """Says when there was no answer."""

    def send(self, *words, **named):
        try:
            return super().send(*words, **named)
        except AssertionError as error:
            if error.args == ("the connection broke",):
                raise Lost() from error
            raise


class DeadlyProxy(HoldingProxy):
    """Counts what may write, and has the provider die at one of it."""

    def __init__(self, port, behind, house):
        self.house, self.seen, self.counts, self.fatal = house, [], False, None
        self.guard, self.failure, self.last = threading.Lock(), None, None
        super().__init__(port, behind)

    def arm(self, fatal):
        """- fatal: which request, and when; `None` for none."""
        self.seen, self.fatal, self.counts, self.last = [], fatal, True, None

    def disarm(self):
        """What was asked. From here on it is looked at what came of it."""
        self.counts = False
        need(self.failure is None, self.failure)
        need(self.fatal is None, ("no such request", self.fatal, self.seen))
        return self.seen

    def moment(self, request):
        with self.guard:
            if request.command == "GET" or not self.counts:
                return None
            self.seen.append(request.path)
            if self.fatal is None or self.fatal[0] != len(self.seen) - 1:
                return None
            self.last, self.fatal = self.fatal[1], None
            return self.last

    def answer(self, request):
        size = int(request.headers.get("Content-Length") or 0)
        body = request.rfile.read(size) if size else None
        moment = self.moment(request)
        request.close_connection = True
        try:
            if moment == "before":
                return self.house.die()
            if moment == "within":
                return self.die_writing(request, body)
            answer = self.forward(request, body)
            if moment == "after":
                return self.house.die()
            self.send(request, answer)
        except Exception as error:
            self.failure = (request.path, moment, repr(error))

    def die_writing(self, request, body):
        before = self.house.written()

        def forward():
            try:
                self.forward(request, body)
            except OSError:
                # It died of it.
                pass
        asking = threading.Thread(target=forward)
        asking.start()
        while asking.is_alive() and self.house.written() == before:
            time.sleep(0)
        self.house.die()
        asking.join()


class House:
    def __init__(self, gatehouse, folder, database):
        self.gatehouse, self.folder, self.data = gatehouse, folder, folder / "data"
        self.port, front = free_port(), free_port()
        self.issuer = f"http://localhost:{front}"
        self.arguments = ["--data-dir", str(self.data), *database]
        self.process = None
        try:
            self.set_up(front)
        except BaseException:
            # Nobody else knows of it.
            self.stop()
            raise

    def set_up(self, front):
        folder = self.folder
        self.serve()
        self.proxy = DeadlyProxy(front, self.port, self)
        state = folder / "state.yaml"
        state.write_text(json.dumps({"projects": [{
            "name": "default", "environment": "development", "clients": [],
            "users": [{"username": USER, "name": "Anna", "email": "anna@example.com",
                       "email_verified": True, "password": PASSWORD}],
            "platform_sso": {"enabled": True, "allowed_methods": ["password", "user_key"]}}]}))
        self.call("apply", str(state), "--data-dir", str(self.data))
        token = (self.data / "admin.token").read_text().strip()
        self.provider = LosingProvider(self.issuer, token, folder / "provider.log")
        self.macs = 0

    def call(self, *words):
        done = subprocess.run([self.gatehouse, *words], capture_output=True, text=True)
        need(done.returncode == 0, (words, done.stdout, done.stderr))

    def serve(self):
        with open(self.folder / "provider.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.gatehouse, "serve", "--listen", f"127.0.0.1:{self.port}", "--issuer",
                 self.issuer, "--attempts-per-address", "1000000", *self.arguments],
                stdout=log, stderr=log)
        eventually(lambda: "the provider is ready: " + (self.folder / "provider.log").read_text(),
                   self.is_ready)

    def is_ready(self):
        need(self.process.poll() is None, "it has ended")
        try:
            return urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}/health/ready", timeout=5).status == 200
        except (OSError, urllib.error.URLError):
            return False

    def die(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.serve()

    def written(self):
        """What the provider has written so far, to files and sockets (`wchar` of proc(5))."""
        text = pathlib.Path(f"/proc/{self.process.pid}/io").read_text()
        return next(line for line in text.splitlines() if line.startswith("wchar: "))

    def stop(self):
        if self.process is None:
            return
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    # Who asks

    def mac(self):
        self.macs += 1
        return Mac(self.provider, f"C02KILLED{self.macs:03}")

    def registered(self):
        mac = self.mac()
        token = self.provider.registration_token(serial_number=mac.serial)
        status, answer = mac.register(mac.registration(registration_token=token))
        need(status == 201, answer)
        mac.id = answer["device_id"]
        return mac

    def shown(self, mac):
        """The machine of that serial number, of which there is one at most."""
        path = "/projects/default/devices"
        found = [device for device in self.provider.admin("GET", path + "?limit=200")["items"]
                 if device.get("serial_number") == mac.serial and device["state"] != "revoked"]
        need(len(found) < 2, found)
        return self.provider.admin("GET", f"{path}/{found[0]['id']}") if found else None


def persist(proxy, make, send, is_done, is_seen):
    """A message is made, and sent until it is answered.

    - is_done: whether an answer is the one that was wanted.
    - is_seen: whether an answer says that this very message was seen before."""
    for _ in range(3):
        try:
            message = make()
        except Lost:
            continue
        try:
            answer = send(message)
        except Lost:
            # Whoever resends it either comes first, or is told that somebody has.
            answer = send(message)
            need(proxy.last != "before" or is_done(answer), ("never seen", answer))
            need(proxy.last != "after" or is_seen(answer), ("it counts twice", answer))
            if is_seen(answer):
                continue
        need(is_done(answer), answer)
        return answer
    raise AssertionError("nobody answers")


def sent(proxy, make, send, status=200):
    return persist(proxy, make, send, lambda answer: answer[0] == status,
                   lambda answer: answer[0] == 400 and error_of(answer) == "server_nonce_refused")


class Act:
    """Made ready while nobody dies; done, with death at one of its requests; and then looked at."""

    def __init__(self, house):
        self.house, self.provider, self.proxy = house, house.provider, house.proxy
        self.ready()

    def people(self, mac):
        return [person["username"] for person in self.house.shown(mac)["users"]]

    def message(self, make, kind="token"):
        """Its claims, and what came for them."""
        claims = None

        def made():
            nonlocal claims
            claims = make()
            return claims
        send = {"token": self.mac.login, "refresh": self.mac.refresh, "key": self.mac.unlock}[kind]
        answer = sent(self.proxy, made, send)
        return answer, claims


class Registration(Act):
    name = "a machine registers"

    def ready(self):
        self.mac = self.house.mac()
        self.token = self.provider.registration_token(maximum_uses=1)

    def do(self):
        answer = sent(self.proxy, lambda: self.mac.registration(registration_token=self.token),
                      self.mac.register, 201)
        self.id = answer[1]["device_id"]

    def check(self):
        need(self.house.shown(self.mac)["id"] == self.id, self.house.shown(self.mac))
        self.mac.signed_in(USER, PASSWORD)
        other = self.house.mac()
        answer = other.register(other.registration(registration_token=self.token))
        need(answer[0] == 400 and error_of(answer) == "registration_refused", answer)


class Signed(Act):
    def ready(self):
        self.mac = self.house.registered()
        self.token = self.mac.signed_in(USER, PASSWORD)


class PersonsKey(Signed):
    name = "a person registers"

    def do(self):
        self.key = new_key()
        sent(self.proxy,
             lambda: self.mac.user_registration(USER, self.key, refresh_token=self.token),
             self.mac.try_user, 201)

    def check(self):
        need(self.people(self.mac) == [USER], self.people(self.mac))
        claims = self.mac.key_claims(USER, self.key)
        self.mac.tokens(self.mac.login(claims), claims)


class Login(Act):
    name = "a person signs in"

    def ready(self):
        self.mac = self.house.registered()

    def do(self):
        answer, claims = self.message(lambda: self.mac.password_claims(USER, PASSWORD))
        self.token = self.mac.tokens(answer, claims)[0]["refresh_token"]

    def check(self):
        need(self.people(self.mac) == [USER], self.people(self.mac))
        claims = self.mac.refresh_claims(self.token)
        self.mac.tokens(self.mac.refresh(claims), claims)


class Refresh(Signed):
    """Whoever lost the answer asks with the same token, and gets its successor: the family lives."""

    name = "tokens are renewed"

    def do(self):
        answer, claims = self.message(lambda: self.mac.refresh_claims(self.token), "refresh")
        self.next = self.mac.tokens(answer, claims)[0]["refresh_token"]

    def check(self):
        need(self.next != self.token, "the same token")
        claims = self.mac.refresh_claims(self.next)
        self.mac.tokens(self.mac.refresh(claims), claims)


class Provisioning(Signed):
    name = "an unlock key is given"

    def do(self):
        self.made = self.ask()

    def ask(self):
        answer, claims = self.message(
            lambda: self.mac.unlock_claims(USER, self.token, "key_request"), "key")
        return self.mac.opened(answer, claims, KEY_RESPONSE)

    def agreed(self):
        """The exchange, with the key of the certificate."""
        ephemeral = new_key()
        answer, claims = self.message(
            lambda: self.mac.exchange_claims(
                USER, self.token, self.made["key_context"], ephemeral), "key")
        found = self.mac.opened(answer, claims, KEY_RESPONSE)["key"]
        public = x509.load_der_x509_certificate(unb64u(self.made["certificate"])).public_key()
        need(base64.b64decode(found) == ephemeral.exchange(ec.ECDH(), public), "another key")

    def check(self):
        need(self.ask()["certificate"] == self.made["certificate"], "another certificate")
        self.agreed()


class Exchange(Provisioning):
    name = "a secret is opened"

    def ready(self):
        super().ready()
        self.made = self.ask()

    def do(self):
        self.agreed()


class Leaving(Signed):
    """Whoever lost the answer, and is not known any more, has left."""

    name = "a machine leaves"

    def do(self):
        # By its second answer nobody knows it: that it was seen is all the same then.
        gone = ("device_unknown", "server_nonce_refused")
        persist(self.proxy, self.proof, self.mac.unregister,
                lambda answer: answer[0] == 200 or error_of(answer) == "device_unknown",
                lambda answer: error_of(answer) in gone)

    def proof(self):
        now = int(time.time())
        return sign(self.mac.signing, {"typ": "gatehouse-unregistration+jwt"}, {
            "aud": self.provider.urls["unregistration"], "iat": now, "exp": now + 300,
            "nonce": self.provider.nonce()})

    def check(self):
        need(self.house.shown(self.mac) is None, self.house.shown(self.mac))
        answer = self.mac.refresh(self.mac.refresh_claims(self.token))
        need(answer[0] == 400 and error_of(answer) == "device_unknown", answer)


ACTS = (Registration, PersonsKey, Login, Refresh, Provisioning, Exchange, Leaving)


def done(house, act, fatal):
    """Once, with that death. Gives the requests that counted."""
    prepared = act(house)
    house.proxy.arm(fatal)
    try:
        prepared.do()
        seen = house.proxy.disarm()
        prepared.check()
    except Exception as error:
        raise AssertionError(f"{act.name}, {fatal or 'in peace'}: {error!r}") from error
    return seen


def main():
    gatehouse, folder, *database = sys.argv[1:]
    house = House(gatehouse, pathlib.Path(folder), database)
    deaths = {}
    try:
        for act in ACTS:
            requests = done(house, act, None)
            need(any("nonce" in path or path.endswith("/token") for path in requests), requests)
            cuts = [(number, moment) for number in range(len(requests)) for moment in MOMENTS]
            for cut in cuts:
                done(house, act, cut)
            deaths[act.name] = len(cuts)
    finally:
        house.stop()
    house.call("store", "verify", *(database or ["--data-dir", str(house.data)]))
    print(json.dumps({"deaths": deaths}))


if __name__ == "__main__":
    main()
