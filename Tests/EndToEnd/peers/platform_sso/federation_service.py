# SPDX-License-Identifier: Apache-2.0
"""A token service of WS-Trust 1.3 over TLS, with nothing of ours: takes a name and a password in a SOAP
envelope, and gives a SAML assertion that it signs (`token_service.py`).

    federation_service.py PORT CERTIFICATE KEY READY USER PASSWORD

`READY` is a file to which the provider's settings are written once it listens, as JSON. `GET /control` says
what it was asked; `GET /control?fault=NAME` tells it how to go wrong from now on: `realm`, `expired`,
`unsigned`, `stranger`, `fault`, `redirect`.
"""

import http.server
import json
import os
import ssl
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

from token_service import TokenService, moment

SOAP = "http://www.w3.org/2003/05/soap-envelope"
ADDRESSING = "http://www.w3.org/2005/08/addressing"
TRUST = "http://docs.oasis-open.org/ws-sx/ws-trust/200512"
POLICY = "http://schemas.xmlsoap.org/ws/2004/09/policy"
SECURITY_POLICY = "http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702"
WSS = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-"
SECURITY, UTILITY = WSS + "secext-1.0.xsd", WSS + "utility-1.0.xsd"


def description(address):
    return f"""<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions name="SecurityTokenService" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"
    xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:wsp="{POLICY}"
    xmlns:sp="{SECURITY_POLICY}" xmlns:wsu="{UTILITY}" xmlns:tns="urn:service">
  <!-- as services write it: policies first, then bindings, then where they are -->
  <wsp:Policy wsu:Id="UserName_policy"><wsp:ExactlyOne><wsp:All>
    <sp:TransportBinding><wsp:Policy/></sp:TransportBinding>
    <sp:SignedEncryptedSupportingTokens><wsp:Policy><sp:UsernameToken/></wsp:Policy>
    </sp:SignedEncryptedSupportingTokens></wsp:All></wsp:ExactlyOne></wsp:Policy>
  <wsdl:binding name="UserName" type="tns:IWSTrust13Async">
    <wsp:PolicyReference URI="#UserName_policy"/>
    <wsdl:operation name="Trust13IssueAsync">
      <soap12:operation soapAction="{TRUST}/RST/Issue" style="document"/></wsdl:operation>
  </wsdl:binding>
  <wsdl:service name="SecurityTokenService"><wsdl:port name="UserName" binding="tns:UserName">
    <soap12:address location="{address}"/></wsdl:port></wsdl:service>
</wsdl:definitions>"""


def envelope(relates_to, body):
    return f"""<s:Envelope xmlns:s="{SOAP}" xmlns:a="{ADDRESSING}" xmlns:u="{UTILITY}"><s:Header>
<a:Action s:mustUnderstand="1">{TRUST}/RSTRC/IssueFinal</a:Action><a:RelatesTo>{relates_to}</a:RelatesTo>
<o:Security s:mustUnderstand="1" xmlns:o="{SECURITY}"><u:Timestamp u:Id="_0">
<u:Created>{moment(0)}</u:Created><u:Expires>{moment(5)}</u:Expires></u:Timestamp></o:Security>
</s:Header><s:Body>{body}</s:Body></s:Envelope>"""


def fault(subcode, reason):
    return f"""<s:Envelope xmlns:s="{SOAP}"><s:Body><s:Fault><s:Code><s:Value>s:Sender</s:Value>
<s:Subcode><s:Value xmlns:a="{TRUST}">a:{subcode}</s:Value></s:Subcode></s:Code><s:Reason>
<s:Text xml:lang="en-US">{reason}</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>"""


class Service:
    def __init__(self, port, user, password):
        self.tokens = TokenService()
        self.address = f"https://localhost:{port}"
        self.user, self.password = user, password
        self.fault = ""
        self.seen = {"descriptions": 0, "requests": 0, "right": 0, "issued": 0}

    def settings(self):
        return {**self.tokens.settings(), "federation_metadata_url": self.address + "/mex"}

    def answer(self, text):
        self.seen["requests"] += 1
        root = ElementTree.fromstring(text)

        def only(name, namespace):
            found = list(root.iter(f"{{{namespace}}}{name}"))
            assert len(found) == 1, (name, len(found))
            return found[0].text

        assert only("Action", ADDRESSING) == TRUST + "/RST/Issue"
        assert only("To", ADDRESSING) == self.address + "/trust/13/usernamemixed"
        assert only("RequestType", TRUST) == TRUST + "/Issue"
        assert only("KeyType", TRUST) == TRUST + "/Bearer"
        reference = root.find(f".//{{{POLICY}}}AppliesTo//{{{ADDRESSING}}}Address")
        assert reference.text == self.tokens.audience, reference.text
        if (only("Username", SECURITY), only("Password", SECURITY)) != (self.user, self.password):
            return 500, fault("FailedAuthentication", "ID3242: not authenticated.")
        self.seen["right"] += 1
        if self.fault == "fault":
            return 500, fault("RequestFailed", "ID3082: the scope is not valid.")
        if self.fault == "redirect":
            return 307, ""
        self.seen["issued"] += 1
        wish = {"realm": {"audience": "urn:other"}, "expired": {"end": -10}}.get(self.fault, {})
        issuer = TokenService() if self.fault == "stranger" else self.tokens
        token = issuer.issue(self.user, **wish)
        if self.fault == "unsigned":
            token = issuer.assertion(self.user).replace("@\n", "\n")
        body = f"""<trust:RequestSecurityTokenResponseCollection xmlns:trust="{TRUST}">
<trust:RequestSecurityTokenResponse><wsp:AppliesTo xmlns:wsp="{POLICY}"><a:EndpointReference>
<a:Address>{self.tokens.audience}</a:Address></a:EndpointReference></wsp:AppliesTo>
<trust:RequestedSecurityToken>{token}</trust:RequestedSecurityToken>
<trust:TokenType>urn:oasis:names:tc:SAML:2.0:assertion</trust:TokenType>
</trust:RequestSecurityTokenResponse></trust:RequestSecurityTokenResponseCollection>"""
        return 200, envelope(only("MessageID", ADDRESSING), body)


def handler(service):
    class Handler(http.server.BaseHTTPRequestHandler):
        def reply(self, status, text, kind="application/soap+xml; charset=utf-8"):
            body = text.encode()
            self.send_response(status)
            if status == 307:
                self.send_header("Location", service.address + "/elsewhere")
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            path, _, query = self.path.partition("?")
            if path == "/mex":
                service.seen["descriptions"] += 1
                text = description(service.address + "/trust/13/usernamemixed")
                return self.reply(200, text, "text/xml; charset=utf-8")
            if path == "/control":
                wish = urllib.parse.parse_qs(query, keep_blank_values=True)
                service.fault = wish.get("fault", [service.fault])[0]
                return self.reply(200, json.dumps(service.seen), "application/json")
            return self.reply(404, "")

        def do_POST(self):
            length = int(self.headers["Content-Length"])
            if self.path != "/trust/13/usernamemixed" or length > 65536:
                return self.reply(404, "")
            assert self.headers["Content-Type"].startswith("application/soap+xml")
            return self.reply(*service.answer(self.rfile.read(length)))

        def log_message(self, form, *values):
            # Without what is in messages: passwords are.
            sys.stderr.write(self.command + " " + self.path.partition("?")[0] + "\n")

    return Handler


def main():
    port, certificate, key, ready, user, password = sys.argv[1:]
    service = Service(int(port), user, password)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), handler(service))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(ready + ".draft", "w") as file:
        json.dump(service.settings(), file)
    os.rename(ready + ".draft", ready)
    server.serve_forever()


if __name__ == "__main__":
    main()
