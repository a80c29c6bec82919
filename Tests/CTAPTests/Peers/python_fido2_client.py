# SPDX-License-Identifier: Apache-2.0
"""Uses the software key as python-fido2 uses a key on USB; every step is asserted.

    python_fido2_client.py DEVICE SCENARIO

The device is a pty, where 65 bytes go in and 64 come out, as with hidraw; or `nfc`, the first card
on a reader of PC/SC, with the system's pyscard.
"""

import os
import select
import sys
import threading
import time

from fido2 import cose
from fido2.client import DefaultClientDataCollector, Fido2Client, UserInteraction
from fido2.ctap import CtapError
from fido2.ctap1 import Ctap1
from fido2.ctap2 import Ctap2
from fido2.ctap2.bio import FPBioEnrollment
from fido2.ctap2.blob import LargeBlobs
from fido2.ctap2.config import Config
from fido2.ctap2.credman import CredentialManagement
from fido2.ctap2.extensions import (
    CredBlobExtension, CredProtectExtension, HmacSecretExtension, LargeBlobExtension,
    MinPinLengthExtension)
from fido2.ctap2.pin import ClientPin, PinProtocolV1, PinProtocolV2
from fido2.hid import CtapHidDevice
from fido2.hid.base import FileCtapHidConnection, HidDescriptor
from fido2.server import Fido2Server

PIN = "4711 é"


class Connection(FileCtapHidConnection):
    def write_packet(self, data):
        super().write_packet(b"\0" + data)

    def read_packet(self):
        ready, _, _ = select.select([self.handle], [], [], 10)
        if not ready:
            raise OSError("the key does not answer")
        return super().read_packet()


def card():
    """The first card; it may take a moment until the reader has seen it."""
    sys.path.append("/usr/lib/python3/dist-packages")
    from fido2.pcsc import CtapPcscDevice
    for _ in range(100):
        for device in CtapPcscDevice.list_devices():
            return device
        time.sleep(0.1)
    raise OSError("no card on any reader")


def connect(path):
    if path == "nfc":
        return card()
    descriptor = HidDescriptor(path, 0, 0, 64, 64, "software key", None)
    return CtapHidDevice(descriptor, Connection(descriptor))


class Person(UserInteraction):
    def prompt_up(self):
        pass

    def request_pin(self, permissions, rp_id):
        return PIN

    def request_uv(self, permissions, rp_id):
        return True


def refused(code, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except CtapError as error:
        assert error.code == code, f"{error.code} instead of {code}"
        return
    raise AssertionError(f"not refused with {code}")


def ready(device):
    ctap = Ctap2(device)
    ClientPin(ctap).set_pin(PIN)
    return Ctap2(device)


def client(device, extensions=None):
    return Fido2Client(
        device, DefaultClientDataCollector("https://example.com"), user_interaction=Person(),
        extensions=extensions or [])


def ceremonies(device):
    """Registration and sign-in against python-fido2's server, for each algorithm."""
    ready(device)
    server = Fido2Server({"id": "example.com", "name": "Example"}, attestation="direct")
    for algorithm in (cose.ES256, cose.EdDSA, cose.ES384):
        server.allowed_algorithms = [
            item for item in server.allowed_algorithms if item.alg == algorithm.ALGORITHM]
        if not server.allowed_algorithms:
            server = Fido2Server({"id": "example.com", "name": "Example"}, attestation="direct")
            server.allowed_algorithms = [
                item for item in server.allowed_algorithms if item.alg == algorithm.ALGORITHM]
        options, state = server.register_begin(
            {"id": bytes([algorithm.ALGORITHM & 0xFF]), "name": "alice"},
            resident_key_requirement="required", user_verification="required")
        result = client(device).make_credential(options.public_key)
        registered = server.register_complete(state, result)
        assert registered.credential_data.public_key.ALGORITHM == algorithm.ALGORITHM
        assert result.response.attestation_object.fmt == "packed"
        options, state = server.authenticate_begin(
            [registered.credential_data], user_verification="required")
        selection = client(device).get_assertion(options.public_key)
        server.authenticate_complete(
            state, [registered.credential_data], selection.get_response(0))
    # Without a list: all three, the newest first.
    options, state = server.authenticate_begin(user_verification="required")
    selection = client(device).get_assertion(options.public_key)
    users = [item.user["id"] for item in selection.get_assertions()]
    assert users == [bytes([alg.ALGORITHM & 0xFF])
                     for alg in (cose.ES384, cose.EdDSA, cose.ES256)], users


def pins(device):
    """Both protocols, changing, retries, blocking, permissions."""
    ctap = Ctap2(device)
    for protocol in (PinProtocolV1(), PinProtocolV2()):
        pin = ClientPin(ctap, protocol)
        if not ctap.get_info().options["clientPin"]:
            pin.set_pin("1234")
        pin.change_pin("1234", "5678")
        pin.change_pin("5678", "1234")
        assert pin.get_pin_retries()[0] == 8
        assert len(pin.get_pin_token("1234")) == 32
        assert len(pin.get_pin_token(
            "1234", ClientPin.PERMISSION.MAKE_CREDENTIAL, "example.com")) == 32
    pin = ClientPin(ctap)
    refused(CtapError.ERR.PIN_INVALID, pin.get_pin_token, "0000")
    refused(CtapError.ERR.PIN_INVALID, pin.get_pin_token, "0000")
    assert pin.get_pin_retries() == (6, False), pin.get_pin_retries()
    refused(CtapError.ERR.PIN_AUTH_BLOCKED, pin.get_pin_token, "0000")
    assert pin.get_pin_retries() == (5, True), pin.get_pin_retries()
    refused(CtapError.ERR.PIN_AUTH_BLOCKED, pin.get_pin_token, "1234")
    assert pin.get_pin_retries() == (5, True), pin.get_pin_retries()


def extensions(device):
    """hmac-secret, prf at creation, credBlob, credProtect, minPinLength, largeBlob."""
    ctap = ready(device)
    config = configured(ctap)
    config.set_min_pin_length(5, ["example.com"])
    everything = [
        HmacSecretExtension(allow_hmac_secret=True), CredBlobExtension(), CredProtectExtension(),
        MinPinLengthExtension(), LargeBlobExtension()]
    server = Fido2Server({"id": "example.com", "name": "Example"})
    options, state = server.register_begin(
        {"id": b"person", "name": "alice"}, resident_key_requirement="required",
        user_verification="required",
        extensions={
            "prf": {"eval": {"first": b"salt"}}, "credBlob": b"blob", "minPinLength": True,
            "credentialProtectionPolicy": "userVerificationRequired",
            "largeBlob": {"support": "required"}})
    result = client(device, everything).make_credential(options.public_key)
    outputs = result.client_extension_results
    data = result.response.attestation_object.auth_data
    assert data.extensions["minPinLength"] == 5, data.extensions
    assert data.extensions["credProtect"] == 3
    assert data.extensions["credBlob"] is True
    assert outputs["prf"]["enabled"] is True
    assert outputs["largeBlob"]["supported"] is True
    at_creation = outputs["prf"]["results"]["first"]
    registered = server.register_complete(state, result)
    options, state = server.authenticate_begin(
        [registered.credential_data], user_verification="required",
        extensions={
            "prf": {"eval": {"first": b"salt", "second": b"other"}}, "getCredBlob": True,
            "largeBlob": {"write": b"a large blob" * 20}})
    answer = client(device, everything).get_assertion(options.public_key).get_response(0)
    server.authenticate_complete(state, [registered.credential_data], answer)
    results = answer.client_extension_results["prf"]["results"]
    assert results["first"] == at_creation
    assert results["second"] != at_creation
    assert answer.response.authenticator_data.extensions["credBlob"] == b"blob"
    assert answer.client_extension_results["largeBlob"]["written"] is True
    options, state = server.authenticate_begin(
        [registered.credential_data], user_verification="required",
        extensions={"largeBlob": {"read": True}})
    answer = client(device, everything).get_assertion(options.public_key).get_response(0)
    read = answer.client_extension_results.large_blob.blob
    assert read == b"a large blob" * 20, read


def token(ctap, permissions, rp_id=None):
    pin = ClientPin(ctap)
    return pin.protocol, pin.get_pin_token(PIN, permissions, rp_id)


def configured(ctap):
    return Config(ctap, *token(ctap, ClientPin.PERMISSION.AUTHENTICATOR_CFG))


def management(device):
    """Credentials are listed, renamed and deleted; a persistent token reads."""
    ctap = ready(device)
    server = Fido2Server({"id": "example.com", "name": "Example"})
    for number in range(3):
        options, _ = server.register_begin(
            {"id": bytes([number]), "name": f"person {number}"},
            resident_key_requirement="required")
        client(device).make_credential(options.public_key)
    manager = CredentialManagement(
        ctap, *token(ctap, ClientPin.PERMISSION.CREDENTIAL_MGMT))
    assert manager.get_metadata()[1] == 3
    parties = manager.enumerate_rps()
    assert [party[3]["id"] for party in parties] == ["example.com"]
    found = manager.enumerate_creds(parties[0][4])
    assert [item[6]["name"] for item in found] == [f"person {n}" for n in range(3)]
    manager.update_user_info(found[1][7], {"id": bytes([1]), "name": "someone else"})
    manager.delete_cred(found[0][7])
    found = manager.enumerate_creds(parties[0][4])
    assert [item[6]["name"] for item in found] == ["someone else", "person 2"]
    protocol, persistent = token(ctap, ClientPin.PERMISSION.PERSISTENT_CREDENTIAL_MGMT)
    reader = CredentialManagement(ctap, protocol, persistent)
    assert reader.get_metadata()[1] == 2
    refused(CtapError.ERR.PIN_AUTH_INVALID, reader.delete_cred, found[0][7])
    info = ctap.get_info()
    identifier = info.get_identifier(persistent)
    assert len(identifier) == 16
    assert identifier == ctap.get_info().get_identifier(persistent)
    before = info.get_cred_store_state(persistent)
    manager = CredentialManagement(
        ctap, *token(ctap, ClientPin.PERMISSION.CREDENTIAL_MGMT))
    manager.delete_cred(found[0][7])
    assert ctap.get_info().get_cred_store_state(persistent) != before


def configuration(device):
    """alwaysUv, enterprise attestation, minimum PIN length, forced change."""
    ctap = ready(device)
    configured(ctap).enable_enterprise_attestation()
    assert ctap.get_info().options["ep"] is True
    attested = ctap.make_credential(
        b"\1" * 32, {"id": "example.com"}, {"id": b"1"}, [{"type": "public-key", "alg": -7}],
        enterprise_attestation=2)
    assert attested.ep_att is True and attested.att_stmt["x5c"]
    configured(ctap).toggle_always_uv()
    refused(
        CtapError.ERR.PUAT_REQUIRED, ctap.make_credential,
        b"\1" * 32, {"id": "example.com"}, {"id": b"1"}, [{"type": "public-key", "alg": -7}])
    configured(ctap).set_min_pin_length(8)
    assert ctap.get_info().force_pin_change is True
    pin = ClientPin(ctap)
    refused(CtapError.ERR.PIN_POLICY_VIOLATION, pin.get_pin_token, PIN)
    refused(CtapError.ERR.PIN_POLICY_VIOLATION, pin.change_pin, PIN, "1234567")
    pin.change_pin(PIN, "12345678")
    assert ctap.get_info().force_pin_change is False


def fingerprints(device):
    """Enrolment, names, built-in verification."""
    ctap = ready(device)
    protocol, granted = token(ctap, ClientPin.PERMISSION.BIO_ENROLL)
    sensor = FPBioEnrollment(ctap, protocol, granted)
    assert sensor.get_fingerprint_sensor_info()[2] == 1
    enrolment = sensor.enroll()
    template = None
    while template is None:
        template = enrolment.capture()
    sensor.set_name(template, "thumb")
    assert sensor.enumerate_enrollments() == {template: "thumb"}
    ctap = Ctap2(device)
    assert ctap.info.options["uv"] is True
    granted = ClientPin(ctap).get_uv_token(
        ClientPin.PERMISSION.GET_ASSERTION | ClientPin.PERMISSION.MAKE_CREDENTIAL, "example.com")
    assert len(granted) == 32
    server = Fido2Server({"id": "example.com", "name": "Example"})
    options, state = server.register_begin(
        {"id": b"p", "name": "alice"}, user_verification="required")
    server.register_complete(state, client(device).make_credential(options.public_key))
    protocol, granted = token(ctap, ClientPin.PERMISSION.BIO_ENROLL)
    sensor = FPBioEnrollment(ctap, protocol, granted)
    sensor.remove_enrollment(template)
    assert sensor.enumerate_enrollments() == {}


def blobs(device):
    """The large-blob array in many fragments."""
    ctap = ready(device)
    store = LargeBlobs(ctap, *token(ctap, ClientPin.PERMISSION.LARGE_BLOB_WRITE))
    key, content = os.urandom(32), os.urandom(3000)
    store.put_blob(key, content)
    assert LargeBlobs(ctap).get_blob(key) == content
    store = LargeBlobs(ctap, *token(ctap, ClientPin.PERMISSION.LARGE_BLOB_WRITE))
    store.delete_blob(key)
    assert LargeBlobs(ctap).get_blob(key) is None


def u2f(device):
    """CTAP1 with python-fido2's own verification."""
    key = Ctap1(device)
    assert key.get_version() == "U2F_V2"
    application, challenge = b"\2" * 32, b"\3" * 32
    registered = key.register(challenge, application)
    registered.verify(application, challenge)
    signature = key.authenticate(challenge, application, registered.key_handle)
    signature.verify(application, challenge, registered.public_key)
    later = key.authenticate(challenge, application, registered.key_handle)
    assert later.counter > signature.counter


def cancel(device):
    """A touch that never comes is cancelled; the key works on."""
    event = threading.Event()
    keepalives = []

    def heard(status):
        keepalives.append(status)
        event.set()

    refused(CtapError.ERR.KEEPALIVE_CANCEL, Ctap2(device).selection,
            event=event, on_keepalive=heard)
    assert keepalives
    assert Ctap2(device).get_info()


def transport(device):
    """PING up to what a terminal holds, WINK, LOCK."""
    for size in (0, 1, 57, 58, 1024, 3500):
        data = os.urandom(size)
        assert device.ping(data) == data
    device.wink()
    device.lock(1)
    device.lock(0)


if __name__ == "__main__":
    globals()[sys.argv[2]](connect(sys.argv[1]))
    print("ok")
