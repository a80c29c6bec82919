# SPDX-License-Identifier: Apache-2.0
"""A browser without scripts, enough of one to sign in with a password."""

import html.parser
import http.cookiejar
import urllib.parse
import urllib.request


class Form(html.parser.HTMLParser):
    """The hidden fields and the action of the form that has a password field."""

    def __init__(self, page):
        super().__init__()
        self.action, self.fields, self.forms = None, {}, []
        self.feed(page)
        for form in self.forms:
            if "password" in form["names"]:
                self.action, self.fields = form["action"], form["hidden"]
                break

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == "form":
            self.forms.append({"action": a.get("action", ""), "hidden": {}, "names": set()})
        elif tag == "input" and self.forms and a.get("name"):
            self.forms[-1]["names"].add(a["name"])
            if a.get("type") == "hidden":
                self.forms[-1]["hidden"][a["name"]] = a.get("value", "")


class Walker:
    def __init__(self, origin):
        self.origin = origin
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def sign_in_form(self):
        """The action and the hidden fields of the sign-in page."""
        page = self.opener.open(self.origin + "/sign-in").read().decode()
        form = Form(page)
        return urllib.parse.urljoin(self.origin + "/sign-in", form.action), form.fields

    def sign_in(self, username, password):
        action, fields = self.sign_in_form()
        data = urllib.parse.urlencode({**fields, "username": username, "password": password})
        request = urllib.request.Request(action, data.encode(), {"Origin": self.origin})
        self.opener.open(request).read()
        return self.cookies()

    def cookies(self):
        return "; ".join(f"{c.name}={c.value}" for c in self.jar)
