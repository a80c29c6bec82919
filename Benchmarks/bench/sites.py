# SPDX-License-Identifier: Apache-2.0
"""A provider among many people and audit events, and the look-ups that are requested of it."""

import http.client
import json
import random
import subprocess
import time
import urllib.parse

from bench import crowd, gatehouse
from bench.target import post
from bench.walker import Walker


class Site:
    """A provider among so many people."""

    def __init__(self, binary, folder, postgresql, name, people):
        self.name, self.people, self.random = name, people, random.Random(18)
        postgresql.sql(f"CREATE DATABASE {name}", database="postgres")
        url = postgresql.url.rsplit("/", 1)[0] + "/" + name
        self.server = gatehouse.Gatehouse(binary, folder / name, database=url)
        self.server.stop()
        crowd.fill(postgresql, name, people)
        self.server.start()
        subprocess.run([binary, "admin", "console", "grant", "--username", "user1", "--role",
                        "owner", "--data-dir", self.server.data], check=True, capture_output=True)
        token = (self.server.data / "admin.token").read_text().strip()
        self.bearer = {"Authorization": f"Bearer {token}"}
        self.cookie = {"Cookie": self.server.session()}
        self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        self.tokens = self.server.families(20)
        self.subjects = subjects(postgresql, name)
        at = lambda path: self.admin(path).get("next")
        self.person_cursor = at("/projects/default/people?search=p8&limit=1")
        # Of a person with two events. The cursor fits every filter of the audit log.
        self.event_cursor = next(filter(None, (
            at(f"/audit?person={sub}&limit=1") for sub in self.subjects)))

    def get(self, path, headers):
        host = {"Host": f"localhost:{self.server.port}"}
        self.connection.request("GET", path, headers=host | headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {text[:200]}")
        return text

    def admin(self, path):
        return json.loads(self.get("/admin/v1" + path, self.bearer))

    def console(self, path):
        return self.get("/console/projects/default" + path, self.cookie)

    def number(self):
        return self.random.randint(1, self.people)

    def event(self, ending):
        """The number of an event that ends so, in thousandths."""
        last = self.people * crowd.EVENTS_EACH // 1000 - 1
        return 1000 * self.random.randint(0, last) + ending

    def refresh(self):
        """Rotates one of the tokens, in turns."""
        token = self.tokens.pop(0)
        answer = post(self.server.target.token, self.server.target.web_authorization,
                      grant_type="refresh_token", refresh_token=token)
        self.tokens.append(answer["refresh_token"])

    def client_credentials(self):
        post(self.server.target.token, self.server.target.service_authorization,
             grant_type="client_credentials", scope="api")

    def sign_in(self, name):
        cookies = Walker(self.server.origin).sign_in(name, gatehouse.PASSWORD)
        if "session" not in cookies.lower():
            raise RuntimeError(f"{name} is not signed in: {cookies}")


def subjects(postgresql, database):
    """The `sub` of some of the people."""
    ids = postgresql.sql("SELECT encode(id, 'hex') FROM people WHERE username LIKE 'p%' "
                         "ORDER BY username LIMIT 500", database=database).split()
    return [f"{i[:8]}-{i[8:12]}-{i[12:16]}-{i[16:20]}-{i[20:]}" for i in ids]


def works():
    """The look-ups by name."""
    people, audit = "/projects/default/people", "/audit?project=default&limit=50"

    def listed(path, **query):
        def one(site):
            made = {name: value(site) if callable(value) else value
                    for name, value in query.items()}
            site.admin(path + ("&" if "?" in path else "?") + urllib.parse.urlencode(made))
        return one
    week = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 7 * 86_400))
    sub = lambda site: site.random.choice(site.subjects)
    return {
        "client credentials": Site.client_credentials,
        "refresh token, rotation": Site.refresh,
        "sign-in by username": lambda site: site.sign_in(crowd.username(site.number())),
        "sign-in by e-mail": lambda site: site.sign_in(crowd.email(site.number())),
        "person by username": lambda site: site.admin(
            f"{people}/{crowd.username(site.number())}"),
        "person by id": lambda site: site.admin(f"{people}/{sub(site)}"),
        "people, first page": listed(people, limit=50),
        "people, page in the middle": listed(
            people, limit=50, search="p8", cursor=lambda s: s.person_cursor),
        "people by beginning of username": listed(
            people, limit=50, search=lambda s: "p" + s.random.choice("0123456789abcdef")),
        "people by family name": listed(
            people, limit=50, search=lambda s: crowd.family(s.number())),
        "people by e-mail": listed(people, limit=50, search=lambda s: crowd.email(s.number())),
        "people by given name, a page": listed(
            people, limit=50, search=lambda s: s.random.choice(crowd.GIVEN)),
        "audit, first page": listed(audit),
        "audit, page in the middle": listed(audit, cursor=lambda s: s.event_cursor),
        "audit, page of an export": listed(
            "/audit?project=default&limit=200", cursor=lambda s: s.event_cursor),
        "audit by person": listed(audit, person=sub),
        "audit by person and action": listed(audit, person=sub, action="sign-in."),
        "audit by action, frequent": listed(audit, action="token.refresh"),
        "audit by action, rare": listed(audit, action="admin.person.update"),
        "audit by beginning of action": listed(audit, action="sign-in."),
        "audit by client": listed(audit, client="quiet"),
        "audit by client, refused": listed(audit, client="quiet", outcome="refused"),
        "audit, refused": listed(audit, outcome="refused"),
        "audit since a week, by action": listed(audit, since=week, action="admin.person.update"),
        "audit by device": listed(audit, device=lambda s: crowd.device(
            s.random.randrange(max(1, s.people * crowd.EVENTS_EACH // 5000)))),
        "audit by refused request": listed(
            audit, request=lambda s: crowd.request(s.event(985))),
        "members of a group of fifty": lambda site: site.admin(
            f"/projects/default/groups/{crowd.team(site.number(), site.people)}/members"),
        "members of a group of all, a page": lambda site: site.admin(
            "/projects/default/groups/everybody/members"),
        "groups, a page": lambda site: site.admin("/projects/default/groups?search=team-"),
        "groups, with one of all people": lambda site: site.admin("/projects/default/groups"),
        "console, people": lambda site: site.console("/people"),
        "console, a person": lambda site: site.console(
            f"/people/{crowd.username(site.number())}"),
        "console, audit": lambda site: site.console("/audit"),
    }
