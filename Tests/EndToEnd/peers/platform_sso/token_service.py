# SPDX-License-Identifier: Apache-2.0
"""A token service that issues SAML assertions, with nothing of ours: canonical XML is the standard
library's, signatures are `cryptography`'s."""

import base64
import datetime
import hashlib
import uuid
import xml.etree.ElementTree as ElementTree

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from cards import Authority, der, rsa_key

DS = "http://www.w3.org/2000/09/xmldsig#"
MORE = "http://www.w3.org/2001/04/xmldsig-more#"
EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"
SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256"
UPN = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn"


def moment(minutes):
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S.123Z")


def canonical(text):
    return ElementTree.canonicalize(xml_data=text)


class TokenService:
    issuer = "http://sts.example.com/adfs/services/trust"
    audience = "urn:federation:gatehouse"

    def __init__(self, rsa=False):
        authority = Authority("Token signing")
        self.key = rsa_key() if rsa else authority.key
        self.algorithm = "rsa-sha256" if rsa else "ecdsa-sha256"
        self.certificate = (
            authority.build(self.key.public_key(), authority.name, []) if rsa
            else authority.certificate)

    def settings(self):
        return {"federation_issuer": self.issuer, "federation_keys": [der(self.certificate)],
                "federation_audience": self.audience, "federation_subject": "upn",
                "federation_domains": ["corp.example.com"],
                "federation_metadata_url": "https://sts.example.com/adfs/services/trust/mex"}

    def signature_value(self, data):
        if self.algorithm == "rsa-sha256":
            return self.key.sign(data, padding.PKCS1v15(), hashes.SHA256())
        r, s = decode_dss_signature(self.key.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    def assertion(self, principal, audience=None, end=5, issuer=None):
        """Unsigned, spelt as a program would that knows nothing of canonical forms."""
        return f"""<saml:Assertion Version="2.0" ID='_{uuid.uuid4()}'
    IssueInstant="{moment(-1)}" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"
    xmlns:unused="urn:unused">
  <saml:Issuer>{issuer or self.issuer}</saml:Issuer>@
  <saml:Subject><saml:NameID>{principal}</saml:NameID>
    <saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
      <saml:SubjectConfirmationData NotOnOrAfter="{moment(end)}"/></saml:SubjectConfirmation>
  </saml:Subject>
  <saml:Conditions NotOnOrAfter="{moment(end)}" NotBefore="{moment(-1)}">
    <saml:AudienceRestriction><saml:Audience>{audience or self.audience}</saml:Audience>
    </saml:AudienceRestriction></saml:Conditions>
  <saml:AttributeStatement><saml:Attribute Name="{UPN}">
    <saml:AttributeValue>{principal}</saml:AttributeValue></saml:Attribute>
  </saml:AttributeStatement>
  <saml:AuthnStatement AuthnInstant='{moment(-1)}'/>
</saml:Assertion>"""

    def sign(self, text):
        """With an enveloped signature in the place of the mark."""
        digest = hashlib.sha256(canonical(text.replace("@\n", "\n")).encode()).digest()
        identifier = text.split("ID='")[1].split("'")[0]
        info = f"""<ds:SignedInfo xmlns:ds="{DS}">
    <ds:CanonicalizationMethod Algorithm="{EXCLUSIVE}"/>
    <ds:SignatureMethod Algorithm="{MORE}{self.algorithm}"/>
    <ds:Reference URI="#{identifier}"><ds:Transforms>
      <ds:Transform Algorithm="{DS}enveloped-signature"/><ds:Transform Algorithm="{EXCLUSIVE}"/>
    </ds:Transforms><ds:DigestMethod Algorithm="{SHA256}"/>
    <ds:DigestValue>{base64.b64encode(digest).decode()}</ds:DigestValue></ds:Reference>
  </ds:SignedInfo>"""
        value = base64.encodebytes(self.signature_value(canonical(info).encode())).decode()
        signature = (f'<ds:Signature xmlns:ds="{DS}">{info}<ds:SignatureValue>{value}'
                     f'</ds:SignatureValue></ds:Signature>')
        return text.replace("@\n", signature + "\n")

    def issue(self, principal, **wish):
        return self.sign(self.assertion(principal, **wish))
