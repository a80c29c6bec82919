# SPDX-License-Identifier: Apache-2.0
"""Smart cards, managed devices and who certifies them: X.509 with `cryptography`, nothing of ours."""

import base64
import datetime
import hashlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from mac import b64u, kid, pretty

UPN = x509.ObjectIdentifier("1.3.6.1.4.1.311.20.2.3")
SMART_CARD_LOGON = x509.ObjectIdentifier("1.3.6.1.4.1.311.20.2.2")
FRESHNESS = x509.ObjectIdentifier("1.2.840.113635.100.8.11.1")
SERIAL = x509.ObjectIdentifier("1.2.840.113635.100.8.9.1")


def days(count):
    return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=count)


def der(certificate):
    return base64.b64encode(certificate.public_bytes(serialization.Encoding.DER)).decode()


class Authority:
    def __init__(self, name="Cards"):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.certificate = self.build(self.key.public_key(), self.name, [
            (x509.BasicConstraints(ca=True, path_length=None), True),
            (x509.KeyUsage(False, False, False, False, False, True, True, False, False), True)])

    def build(self, public_key, subject, extensions, begin=-1, end=30):
        builder = x509.CertificateBuilder(
            issuer_name=self.name, subject_name=subject, public_key=public_key,
            serial_number=x509.random_serial_number(), not_valid_before=days(begin),
            not_valid_after=days(end))
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical)
        return builder.sign(self.key, hashes.SHA256())

    def card(self, key, principal, **validity):
        """A certificate for smart-card logon."""
        name = b"\x0c" + bytes([len(principal)]) + principal.encode()
        return self.build(
            key.public_key(),
            x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Card of " + principal)]), [
                (x509.SubjectAlternativeName([x509.OtherName(UPN, name)]), False),
                (x509.ExtendedKeyUsage([SMART_CARD_LOGON, ExtendedKeyUsageOID.CLIENT_AUTH]), False),
                (x509.KeyUsage(True, False, False, False, False, False, False, False, False), True),
                (x509.BasicConstraints(ca=False, path_length=None), True)], **validity)

    def device(self, public_key, challenge, serial):
        """What Apple says of a key on a managed device."""
        return self.build(public_key, x509.Name([]), [
            (x509.UnrecognizedExtension(FRESHNESS, challenge), False),
            (x509.UnrecognizedExtension(SERIAL, serial.encode()), False),
            (x509.BasicConstraints(ca=False, path_length=None), True)])

    def revocation_list(self, *revoked):
        builder = x509.CertificateRevocationListBuilder(
            issuer_name=self.name, last_update=days(-1), next_update=days(7))
        for certificate in revoked:
            builder = builder.add_revoked_certificate(
                x509.RevokedCertificateBuilder(
                    serial_number=certificate.serial_number, revocation_date=days(-1)).build())
        return base64.b64encode(
            builder.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)
        ).decode()


def rsa_key():
    return rsa.generate_private_key(65537, 2048)


def name_of(key):
    """The key's name: an RSA key's is its JWK thumbprint (RFC 7638)."""
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return kid(key)
    numbers = key.public_key().public_numbers()
    e = b64u(numbers.e.to_bytes(3, "big"))
    n = b64u(numbers.n.to_bytes((numbers.n.bit_length() + 7) // 8, "big"))
    text = '{"e":"%s","kty":"RSA","n":"%s"}' % (e, n)
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def sign_with_card(key, header, claims):
    is_rsa = isinstance(key, rsa.RSAPrivateKey)
    head = {"alg": "RS256" if is_rsa else "ES256", "kid": name_of(key), **header}
    text = b64u(pretty(head)) + "." + b64u(pretty(claims))
    if is_rsa:
        signature = key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())
    else:
        r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
    return text + "." + b64u(signature)
