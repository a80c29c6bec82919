# SPDX-License-Identifier: Apache-2.0
"""What people do in the guide, with a browser without scripts.

    person.py set-up LINK USER         makes the first account by the set-up link
    person.py invited USER             opens the link of the mail, chooses a password, and signs in
    person.py sign-in USER             signs in at the provider
    person.py claims CLIENT SECRET-FILE REDIRECT-URI SCOPE USER NAME=VALUE…
                                       runs the code flow of a client, and compares claims of the ID token and user info;
                                       NAME!=VALUE differs, NAME is there
    person.py open URL  USER TEXT      opens a page of a relying party, signs in, and sees TEXT (or, with "not TEXT", does not)
"""

import base64
import hashlib
import json
import re
import secrets
import sys
import time
import urllib.parse

from forms import Browser

ISSUER = "https://login.example.com"
PASSWORD = "correct horse battery staple"


def expect(condition, message):
    if not condition:
        raise SystemExit(message)


def set_up(link, user):
    browser = Browser()
    browser.open(link)
    browser.submit("password", username=user, password=PASSWORD)
    sign_in(user)


def newest_mail(address):
    for _ in range(100):
        try:
            lines = [json.loads(line) for line in open("/var/lib/mail/mail.jsonl")]
        except FileNotFoundError:
            lines = []
        found = [line for line in lines if line["to"] == [address]]
        if found:
            return found[-1]
        time.sleep(0.1)
    raise SystemExit(f"no mail for {address}")


def invited(user):
    mail = newest_mail(f"{user}@example.com")
    expect(mail["from"] == "login@example.com", mail)
    link = re.search(ISSUER + r"/\S+", mail["text"])
    expect(link, mail)
    browser = Browser()
    browser.open(link[0])
    browser.submit("password", password=PASSWORD)
    sign_in(user)


def sign_in(user):
    browser = Browser()
    browser.open(ISSUER + "/sign-in")
    browser.submit("password", username=user, password=PASSWORD)
    page = browser.open(ISSUER + "/account")
    expect(page.url == ISSUER + "/account" and user in page.text, f"{page.url} {page.text[:2000]}")


def open_page(url, user, text):
    browser = Browser()
    page = browser.open(url)
    if 'name="start"' in page.text:
        page = browser.submit("start")
    if "login.example.com" in page.url:
        page = browser.submit("password", username=user, password=PASSWORD)
    wanted, text = not text.startswith("not "), text.removeprefix("not ")
    expect((text in page.text) == wanted, f"{page.status_code} {page.url} {page.text[:3000]}")


def code_flow(client, secret, redirect, scope, user):
    """The token response of a confidential client, or of one without a secret."""
    browser = Browser()
    metadata = browser.open(ISSUER + "/.well-known/openid-configuration").json()
    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    target = browser.authorize(metadata["authorization_endpoint"] + "?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": client, "redirect_uri": redirect, "scope": scope, "state": "s", "nonce": "n",
        "code_challenge": challenge, "code_challenge_method": "S256"}), redirect, username=user, password=PASSWORD)
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(target).query)["code"][0]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect, "code_verifier": verifier}
    proof = {"auth": (client, secret)} if secret else {}
    answer = browser.session.post(metadata["token_endpoint"], data=form if secret else {**form, "client_id": client}, **proof)
    expect(answer.ok, answer.text)
    tokens = answer.json()
    bearer = {"Authorization": "Bearer " + tokens["access_token"]}
    return tokens, browser.session.get(metadata["userinfo_endpoint"], headers=bearer).json()


def payload(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def claims(client, secret_file, redirect, scope, user, *wanted):
    secret = "" if secret_file == "-" else open(secret_file).read().strip()
    tokens, info = code_flow(client, secret, redirect, scope, user)
    for place, found in (("ID token", payload(tokens["id_token"])), ("user info", info)):
        for rule in wanted:
            name, differs, value = re.fullmatch(r"(\w+)(!?)=?(.*)", rule).groups()
            text = json.dumps(found.get(name))
            fits = name in found if "=" not in rule else (text == value) != bool(differs)
            # The audience is in the token alone.
            expect(fits or (name == "aud" and place == "user info"), f"{place}: {rule}: {found}")


if __name__ == "__main__":
    verb, *words = sys.argv[1:]
    {"claims": claims, "set-up": set_up, "invited": invited, "sign-in": sign_in, "open": open_page}[verb](*words)
