# SPDX-License-Identifier: Apache-2.0
"""The agent cut off from its provider in the middle of everything that it does: killed when the provider has not heard
of a request, and never will; when it hears of it late; when it has dealt with it; and with no provider there from that
request on.

    agent_cut_off.py GATEHOUSE STORY WAY FOLDER [CARD_ROOT_FILE CARD_MODULE]

WAY is before, late, after or away. Starts provider and agents itself, in FOLDER. Prints one JSON object: which cases it went through.
"""

import html
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request

from agent_machine import AgentMachine, eventually
from browser import Browser
from holding_proxy import HoldingProxy
from mac import Provider, need

PASSWORD = "correct horse battery staple"
TOKEN, KEY, USERS = "/platform-sso/token", "/platform-sso/key", "/platform-sso/users"
DEVICES, LEAVE = "/platform-sso/devices", "/platform-sso/unregister"
AUTHORIZE = "/platform-sso/authorize"
KILLED = ("before", "late", "after")
CUT = (*KILLED, "away")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class House:
    """A provider behind a proxy that holds what it is told to."""

    def __init__(self, gatehouse, folder, settings):
        self.gatehouse, self.folder = gatehouse, folder
        port, front = free_port(), free_port()
        self.issuer = f"http://localhost:{front}"
        self.proxy = HoldingProxy(front, port)
        data = folder / "data"
        with open(folder / "provider.log", "ab") as log:
            self.process = subprocess.Popen(
                [gatehouse, "serve", "--data-dir", str(data), "--listen", f"127.0.0.1:{port}",
                 "--issuer", self.issuer], stdout=log, stderr=log)
        eventually(lambda: "the provider is ready: " + (folder / "provider.log").read_text(),
                   self.is_ready)
        state = folder / "state.yaml"
        state.write_text(json.dumps({"projects": [{
            "name": "default", "environment": "development", "clients": [],
            "users": [{"username": "anna", "name": "Anna", "email": "anna@example.com",
                       "email_verified": True, "password": PASSWORD}],
            "platform_sso": {"enabled": True, **settings}}]}))
        subprocess.run([gatehouse, "apply", str(state), "--data-dir", str(data)], check=True,
                       capture_output=True)
        token = (data / "admin.token").read_text().strip()
        self.provider = Provider(self.issuer, token, folder / "provider.log")

    def is_ready(self):
        try:
            return urllib.request.urlopen(self.issuer + "/health/ready").status == 200
        except (OSError, urllib.error.URLError):
            return False

    def token(self):
        return self.provider.registration_token(maximum_uses=2)

    def machines(self):
        """Those that live, with the people on each."""
        path = "/projects/default/devices"
        found = self.provider.admin("GET", path)
        return [self.provider.admin("GET", f"{path}/{device['id']}")
                for device in found["items"] if device["state"] != "revoked"]

    def empty(self):
        for machine in self.machines():
            self.provider.admin("POST", f"/projects/default/devices/{machine['id']}/revoke")

    def stop(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def profile(issuer, token=None, method="Password", shared=True, pages=False):
    def member(name, value):
        return f"<key>{name}</key><string>{value}</string>" if value else ""
    hosts = "<key>WebLoginURLAllowList</key><array><string>localhost</string></array>"
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>PayloadContent</key><array><dict>
<key>PayloadType</key><string>com.apple.extensiblesso</string>
<key>PayloadVersion</key><integer>1</integer>
<key>PayloadIdentifier</key><string>com.example.sso.payload</string>
<key>PayloadUUID</key><string>11111111-1111-4111-8111-111111111111</string>
<key>ExtensionIdentifier</key><string>com.example.sso</string>
<key>TeamIdentifier</key><string>ABCDE12345</string><key>Type</key><string>Redirect</string>
<key>URLs</key><array><string>{issuer}</string></array>
<key>ExtensionData</key><dict>{member("issuer", issuer)}</dict>
{member("RegistrationToken", token)}
<key>PlatformSSO</key><dict>{member("AuthenticationMethod", method)}
<key>UseSharedDeviceKeys</key><{str(shared).lower()}/>{hosts if pages else ""}</dict>
</dict></array><key>PayloadType</key><string>Configuration</string>
<key>PayloadVersion</key><integer>1</integer>
<key>PayloadIdentifier</key><string>com.example.sso</string>
<key>PayloadUUID</key><string>22222222-2222-4222-8222-222222222222</string>
<key>PayloadScope</key><string>System</string></dict></plist>"""


class Story:
    """What a person or the machine does. Of each case: a machine is made ready, is cut off at a request, and does it
    again."""

    settings = {"allowed_methods": ["password", "user_key"]}
    method, shared, arguments = "Password", True, ()
    # Request, which of them, and how it is cut off.
    cuts = ()

    def __init__(self, house):
        self.house = house

    @classmethod
    def prepare(cls):
        pass

    def profile(self, token):
        return profile(self.house.issuer, token, self.method, self.shared)

    def ready(self, machine):
        machine.install(self.profile(self.house.token()))
        machine.start()
        machine.registered()

    def begin(self, machine):
        """Begins it, up to where nobody has to do anything more."""
        raise NotImplementedError

    def end(self, doing, machine, is_away):
        """Whoever waited for it is told."""
        status, text = doing.ended()
        need(status == 1, (status, text))
        need(not is_away or "cannot be reached" in text, text)

    def again(self, machine):
        raise NotImplementedError

    def check(self, machine):
        """Nothing is there twice, and nothing by half."""
        (known,) = self.house.machines()
        people = [person["username"] for person in known["users"]]
        need(people == ["anna"], known)
        need(machine.person["phase"] == "registered", machine.status())
        self.unlocks(machine)

    def unlocks(self, machine):
        sealed = machine.ask("agent", "seal", text="the key of the disk")
        opened = machine.ask("agent", "unseal", text=sealed.stdout)
        need(opened.stdout == "the key of the disk", (sealed.stderr, opened.stderr))

    def run(self, machine, request, number, when):
        proxy = self.house.proxy
        self.ready(machine)
        proxy.cut(request, number, when)
        doing = self.begin(machine)
        need(proxy.held.wait(40), "nobody asked")
        if when == "away":
            self.end(doing, machine, True)
            proxy.whole()
        else:
            machine.kill()
            proxy.whole()
            need(when != "late" or proxy.delivered.wait(40), "it was never delivered")
            self.end(doing, machine, False)
            machine.start()
            machine.registered()
        self.again(machine)
        self.check(machine)


class Registering(Story):
    """A person at a terminal registers and signs in for the first time."""

    answers = (("Password of anna", PASSWORD),)

    def begin(self, machine):
        terminal = machine.terminal("register", "user")
        terminal.answer(("Your user name", "anna"), *self.answers)
        return terminal

    def end(self, doing, machine, is_away):
        status, text = doing.ended()
        need(status in (0, 1), (status, text))

    def again(self, machine):
        if machine.person.get("phase") == "registered":
            return
        terminal = machine.terminal("register", "user")
        terminal.talk({"Your user name": "anna", **dict(self.answers)}, "Signed in as anna")
        need(terminal.ended()[0] == 0, terminal.seen)


class Binding(Registering):
    cuts = [(TOKEN, 1, CUT), (KEY, 1, CUT)]


class PersonsKey(Registering):
    """Who has a key signs in with it, and has nothing to seal to."""

    method = "UserSecureEnclaveKey"
    cuts = [(USERS, 1, CUT), (TOKEN, 2, CUT)]

    def unlocks(self, machine):
        again = machine.ask("agent", "sign-in")
        need(again.returncode == 0, again.stderr)
        self.renews(machine)

    def renews(self, machine):
        renewed = machine.ask("agent", "sign-in", "--refresh")
        need(renewed.returncode == 0, renewed.stderr)


class Unsealing(Story):
    cuts = [(KEY, 1, CUT)]

    def ready(self, machine):
        super().ready(machine)
        terminal = machine.terminal("register", "user")
        terminal.answer(("Your user name", "anna"), ("Password of anna", PASSWORD))
        terminal.shows("Signed in as anna")
        need(terminal.ended()[0] == 0, terminal.seen)
        self.sealed = machine.ask("agent", "seal", text="a secret").stdout

    def begin(self, machine):
        return Child(machine.begin("agent", "unseal", text=self.sealed))

    def again(self, machine):
        opened = machine.ask("agent", "unseal", text=self.sealed)
        need(opened.stdout == "a secret", opened.stderr)


class Child:
    def __init__(self, process):
        self.process = process

    def ended(self):
        output, errors = self.process.communicate(timeout=60)
        need(not output, output)
        return self.process.returncode, errors


class Leaving(Unsealing):
    """The machine, or the person on it, is taken off the provider."""

    subject = "device"
    cuts = [(LEAVE, 1, CUT)]

    def begin(self, machine):
        return Child(machine.begin("unregister", self.subject, "--yes"))

    def again(self, machine):
        left = machine.ask("unregister", self.subject, "--yes")
        need(left.returncode == 0 or "not registered" in left.stderr, left.stderr)

    def check(self, machine):
        need(self.house.machines() == [], self.house.machines())
        need(machine.ask("agent", "unseal", text=self.sealed).returncode == 1, "it still opens")


class PersonLeaving(Leaving):
    subject = "user"

    def check(self, machine):
        (known,) = self.house.machines()
        need(known["users"] == [], known)
        need(machine.ask("agent", "unseal", text=self.sealed).returncode == 1, "it still opens")


class Migration(Unsealing):
    """The profile wants keys of the machine in the place of a person's, or the other way round."""

    shared = False
    cuts = [(DEVICES, 1, CUT)]

    def ready(self, machine):
        self.install(machine, self.shared)
        machine.start()
        terminal = machine.terminal("register", "user")
        terminal.answer(("Your user name", "anna"), ("Password of anna", PASSWORD))
        terminal.shows("Signed in as anna")
        need(terminal.ended()[0] == 0, terminal.seen)
        self.before = machine.device["key_id"]

    def install(self, machine, shared):
        machine.install(profile(self.house.issuer, self.house.token(), shared=shared))

    def begin(self, machine):
        self.install(machine, not self.shared)

    def end(self, doing, machine, is_away):
        pass

    def again(self, machine):
        machine.ask("register", "device")

        def is_there():
            device = machine.device
            return (device.get("phase") == "registered" and device["key_id"] != self.before
                    and (device["owner"] == "*") != self.shared)
        eventually(lambda: f"migrated: {machine.status()}", is_there)

    def check(self, machine):
        eventually(lambda: f"one machine: {self.house.machines()}",
                   lambda: len(self.house.machines()) == 1)
        terminal = machine.terminal("register", "user", "--repair")
        terminal.answer(("Password of anna", PASSWORD))
        terminal.shows("Signed in as anna")
        need(terminal.ended()[0] == 0, terminal.seen)
        self.unlocks(machine)


class MigrationBack(Migration):
    shared = True
    cuts = [(DEVICES, 1, CUT), (LEAVE, 1, CUT)]

    def again(self, machine):
        super().again(machine)
        # Whose leaving was not heard leaves again in ten minutes, or when it is started.
        if len(self.house.machines()) > 1:
            machine.kill()
            machine.start()
            machine.registered()

    def unlocks(self, machine):
        """Keys of a person come with no unlock key, and what was given to the machine before opens nothing."""
        sealed = machine.ask("agent", "seal", text="a secret")
        need(sealed.returncode == 1 and "does not allow unlock keys" in sealed.stderr, sealed)


class Card(PersonsKey):
    """With a smart card behind its PIN."""

    method, answers = "SmartCard", (("PIN of anna", "123456"),)
    cuts = [(TOKEN, 1, CUT)]

    @classmethod
    def prepare(cls, root, module):
        cls.settings = {
            "allowed_methods": ["password", "smart_card"], "smart_card_mapping": ["subject"],
            "smart_card_roots": [pathlib.Path(root).read_text()],
            "smart_card_revocation": "off"}
        cls.arguments = ["--keys", "file", "--card-module", module]

    def unlocks(self, machine):
        self.renews(machine)


class Page(Registering):
    """On a page of the provider, which a browser opens."""

    settings = {"allowed_methods": ["web_login"]}
    method, answers = "OpenID", ()
    cuts = [(AUTHORIZE, 1, KILLED), (TOKEN, 1, CUT), (KEY, 1, CUT)]

    def profile(self, token):
        return profile(self.house.issuer, token, self.method, pages=True)

    def visit(self, machine, phase):
        """A desktop on which a program opens pages, and a person who signs in on the one that is opened."""
        page, opener = machine.folder / "page", machine.folder / "xdg-open"
        page.unlink(missing_ok=True)
        opener.write_text(f"#!/bin/sh\nprintf %s \"$1\" > {page}.draft && mv {page}.draft {page}\n")
        opener.chmod(0o755)
        terminal = machine.terminal("register", "user", BROWSER="yes",
                                    PATH=f"{machine.folder}:{os.environ['PATH']}")
        if phase in ("waiting", "retrying"):
            terminal.answer(("Your user name", "anna"))
        if not phase.startswith("binding"):
            eventually("a page is opened", page.exists)
            threading.Thread(target=self.sign_in, args=(page.read_text(),), daemon=True).start()
        return terminal

    def sign_in(self, page):
        try:
            browser = Browser()
            text = browser.open(page)[2]
            fields = dict(re.findall(r'name="([^"]*)" value="([^"]*)"', text))
            action = html.unescape(re.search(r'action="([^"]*)"', text)[1])
            answer = browser.open(
                action, {name: html.unescape(value) for name, value in fields.items()})
            browser.sign_in(action, answer, "anna", PASSWORD)
        except OSError:
            # Whoever opened the page was killed meanwhile.
            pass

    def begin(self, machine):
        return self.visit(machine, "waiting")

    def again(self, machine):
        phase = machine.person.get("phase", "waiting")
        if phase == "registered":
            return
        terminal = self.visit(machine, phase)
        terminal.shows("Signed in as anna")
        need(terminal.ended()[0] == 0, terminal.seen)


STORIES = {
    "binding": Binding, "key": PersonsKey, "card": Card, "page": Page, "unsealing": Unsealing,
    "leaving": Leaving, "person-leaving": PersonLeaving, "migration": Migration,
    "migration-back": MigrationBack}


def main():
    gatehouse, name, way, folder = sys.argv[1:5]
    folder = pathlib.Path(folder)
    story = STORIES[name]
    story.prepare(*sys.argv[5:])
    house = House(gatehouse, folder, story.settings)
    done = []
    try:
        for request, number, ways in story.cuts:
            if way not in ways:
                continue
            case = f"{request.rsplit('/', 1)[1]} {number}"
            machine = AgentMachine(gatehouse, folder / f"machine-{len(done)}", story.arguments)
            try:
                story(house).run(machine, request, number, way)
            except Exception:
                print("at", case, machine.status(), file=sys.stderr)
                raise
            finally:
                house.proxy.whole()
                machine.stop()
            house.empty()
            done.append(case)
    finally:
        house.stop()
    print(json.dumps({"checks": done}))


if __name__ == "__main__":
    main()
