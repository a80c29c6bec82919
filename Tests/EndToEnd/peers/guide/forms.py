# SPDX-License-Identifier: Apache-2.0
"""A browser without scripts, which follows redirects from one host to another."""

import html.parser
import urllib.parse

import requests


class Forms(html.parser.HTMLParser):
    """The forms of a page, each with its hidden fields and the names of all."""

    def __init__(self, text):
        super().__init__()
        self.forms = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "form":
            self.forms.append({"action": values.get("action") or "", "fields": {}, "names": set()})
        if tag in ("input", "button") and self.forms and values.get("name"):
            self.forms[-1]["names"].add(values["name"])
            if values.get("type") == "hidden":
                self.forms[-1]["fields"][values["name"]] = values.get("value") or ""


class Browser:
    def __init__(self):
        self.session = requests.Session()
        self.page = None

    def open(self, url):
        self.page = self.session.get(url, headers={"Accept": "text/html"})
        return self.page

    def submit(self, having, **values):
        """Fills in the form of the page that has such a field, and follows it to its end."""
        self.page = self.send(having, values, follow=True)
        return self.page

    def send(self, having, values, follow=False):
        form = next((form for form in Forms(self.page.text).forms if having in form["names"]), None)
        if form is None:
            raise SystemExit(f"no form with {having} at {self.page.url}: {self.page.status_code} {self.page.text[:2000]}")
        action = urllib.parse.urljoin(self.page.url, form["action"])
        origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(self.page.url))
        headers = {"Origin": origin, "Accept": "text/html"}
        return self.session.post(action, data={**form["fields"], **values}, headers=headers, allow_redirects=follow)

    def authorize(self, url, callback, **values):
        """The redirect back to a client, which is not followed; signs in where that is asked for."""
        answer = self.session.get(url, allow_redirects=False)
        for _ in range(10):
            while answer.is_redirect:
                target = urllib.parse.urljoin(answer.url, answer.headers["Location"])
                if target.startswith(callback):
                    return target
                answer = self.session.get(target, allow_redirects=False)
            self.page = answer
            answer = self.send("password", values)
        raise SystemExit("too many redirects")
