# SPDX-License-Identifier: Apache-2.0
"""A browser without scripts: follows redirects, fills in forms."""

import html.parser
import urllib.parse

import requests


class Forms(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms = []

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == "form":
            self.forms.append({"action": a.get("action", ""), "fields": {}, "names": set()})
        if tag in ("input", "button") and self.forms and a.get("name"):
            self.forms[-1]["names"].add(a["name"])
            if a.get("type") == "hidden":
                self.forms[-1]["fields"][a["name"]] = a.get("value", "")


class Walker:
    def __init__(self):
        self.session = requests.Session()

    def submit(self, page, having, **values):
        parser = Forms()
        parser.feed(page.text)
        for form in parser.forms:
            if having in form["names"]:
                action = urllib.parse.urljoin(page.url, form["action"])
                origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(page.url))
                return self.session.post(action, data={**form["fields"], **values},
                                         headers={"Origin": origin}, allow_redirects=False)
        raise SystemExit(f"no form with {having} at {page.url}: {page.text[:500]}")

    def follow(self, answer, until):
        """Follows redirects until one leads to `until`, which is returned and not fetched."""
        for _ in range(10):
            if answer.is_redirect:
                target = urllib.parse.urljoin(answer.url, answer.headers["Location"])
                if target.startswith(until):
                    return target, None
                answer = self.session.get(target, allow_redirects=False)
            else:
                return None, answer
        raise SystemExit("too many redirects")

    def authorize(self, url, callback, username, password):
        """The redirect back to the client, through sign-in where it is asked for."""
        target, page = self.follow(self.session.get(url, allow_redirects=False), callback)
        if target:
            return target
        answer = self.submit(page, "password", username=username, password=password)
        target, page = self.follow(answer, callback)
        if not target:
            raise SystemExit(f"not let in: {page.status_code} {page.text[:1500]}")
        return target
