# SPDX-License-Identifier: Apache-2.0
"""What people do in the guide, with a browser without scripts.

    person.py set-up LINK USER         makes the first account by the set-up link
    person.py invited USER             opens the link of the mail, chooses a password, and signs in
    person.py sign-in USER             signs in at the provider
    person.py visit URL USER TEXT      opens a page of a relying party, signs in, and sees TEXT (or, with "not TEXT", does not)
"""

import json
import re
import sys
import time

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


def visit(url, user, text):
    browser = Browser()
    page = browser.open(url)
    if "login.example.com" in page.url:
        page = browser.submit("password", username=user, password=PASSWORD)
    wanted, text = not text.startswith("not "), text.removeprefix("not ")
    expect((text in page.text) == wanted, f"{page.status_code} {page.url} {page.text[:3000]}")


if __name__ == "__main__":
    verb, *words = sys.argv[1:]
    {"set-up": set_up, "invited": invited, "sign-in": sign_in, "visit": visit}[verb](*words)
