# SPDX-License-Identifier: Apache-2.0
"""A browser without scripts: cookies, forms, and redirects as far as they lead to http."""

import html.parser
import http.cookiejar
import urllib.error
import urllib.parse
import urllib.request

from mac import Answer


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


class FirstForm(html.parser.HTMLParser):
    """The form that has a password field, with the hidden fields in it."""

    def __init__(self, text):
        super().__init__()
        self.action, self.fields, self.found = None, {}, False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form" and not self.found:
            self.action, self.fields = attributes.get("action"), {}
        if tag == "input" and not self.found and attributes.get("name"):
            self.fields[attributes["name"]] = attributes.get("value") or ""

    def handle_endtag(self, tag):
        if tag == "form" and "password" in self.fields:
            self.found = True


class Browser:
    def __init__(self):
        self.opener = urllib.request.build_opener(
            NoRedirect, urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def open(self, url, form=None):
        """Status, where it leads, and body."""
        body = None if form is None else urllib.parse.urlencode(form).encode()
        request = urllib.request.Request(url, data=body, headers={"Accept": "text/html"})
        try:
            with self.opener.open(request) as answer:
                return Answer((answer.status, None, answer.read().decode()),
                              answer.headers.get("X-Request-ID"))
        except urllib.error.HTTPError as error:
            return Answer(
                (error.code, error.headers.get("Location"), error.read().decode()),
                error.headers.get("X-Request-ID"))

    def follow(self, url, answer):
        """As far as redirects lead to http; the last of them otherwise."""
        status, location, body = answer
        while location:
            url = urllib.parse.urljoin(url, location)
            if not url.startswith("http"):
                return status, url, body
            status, location, body = self.open(url)
        return status, url, body

    def sign_in(self, url, answer, user, password):
        """Fills in the form to which `answer` leads, and follows it to its end."""
        _, url, body = self.follow(url, answer)
        form = FirstForm(body)
        fields = {**form.fields, "username": user, "password": password}
        target = urllib.parse.urljoin(url, form.action or url)
        return self.follow(target, self.open(target, fields))
