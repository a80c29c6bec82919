// SPDX-License-Identifier: Apache-2.0
import CBOR
import JOSE
import Primitives
import Support
import WebAuthn

func refusal(
    _ ceremony: Ceremony, _ step: Int, _ code: WebAuthnRefusal.Code
) -> WebAuthnRefusal {
    WebAuthnRefusal(CeremonyStep(ceremony, step), code, "")
}

extension Result where Failure == WebAuthnRefusal {
    /// The refusal, or `nil` when there is none.
    var refusal: WebAuthnRefusal? {
        if case .failure(let refusal) = self { refusal } else { nil }
    }
}

/// A registration that would pass, until a test spoils a part of it.
struct RegistrationCeremony {
    static let origin = "https://login.example.org"

    var passkey = SoftwareAuthenticator(
        rpId: "example.org", userHandle: [7, 7], random: SeededRandom(seed: 11))
    var party = RelyingParty(id: "example.org", origins: [origin])
    var expectation = RegistrationExpectation(
        challenge: [UInt8](1...32), userVerification: .preferred,
        now: Timestamp(seconds: 1_800_000_000))
    var type = "webauthn.create"
    var challenge = [UInt8](1...32)
    var origin = Self.origin
    var crossOrigin = false
    var topOrigin: String?
    /// In place of what the members above would make.
    var clientData: [UInt8]?
    var authenticatorData: [UInt8]?
    var attestationObject: [UInt8]?
    var format = "none"
    var statement: [CBOREntry] = []
    /// In place of the credential id inside the authenticator data.
    var claimedId: [UInt8]?
    var clientExtensions = JSONObject()
    var authenticatorExtensions: [CBOREntry]?

    var signedData: [UInt8] {
        (authenticatorData ?? passkey.attestedAuthenticatorData())
            .extended(by: authenticatorExtensions)
    }

    var clientDataJSON: [UInt8] {
        clientData
            ?? SoftwareAuthenticator.clientData(
                type: type, challenge: challenge, origin: origin, crossOrigin: crossOrigin,
                topOrigin: topOrigin)
    }

    func verify() async -> Result<VerifiedRegistration, WebAuthnRefusal> {
        let object = passkey.attestationObject(
            authenticatorData: signedData, format: format, statement: statement)
        return await party.verify(
            registration: UnverifiedRegistration(
                id: claimedId ?? passkey.credentialId, clientDataJSON: clientDataJSON,
                attestationObject: attestationObject ?? object,
                clientExtensionResults: clientExtensions),
            expecting: expectation)
    }
}

/// A sign-in that would pass, until a test spoils a part of it.
struct AssertionCeremony {
    var passkey = SoftwareAuthenticator(
        rpId: "example.org", userHandle: [7, 7], random: SeededRandom(seed: 11))
    var party = RelyingParty(id: "example.org", origins: [RegistrationCeremony.origin])
    var expectation = AssertionExpectation(
        challenge: [UInt8](1...32), userVerification: .preferred)
    var stored: StoredCredential
    var type = "webauthn.get"
    var challenge = [UInt8](1...32)
    var origin = RegistrationCeremony.origin
    var crossOrigin = false
    var topOrigin: String?
    var clientData: [UInt8]?
    var authenticatorData: [UInt8]?
    var signature: [UInt8]?
    var userHandle: [UInt8]? = [7, 7]
    var claimedId: [UInt8]?
    var clientExtensions = JSONObject()
    var authenticatorExtensions: [CBOREntry]?

    init() {
        passkey.signCount = 5
        stored = StoredCredential(
            id: passkey.credentialId, publicKey: passkey.coseKey, signCount: 4,
            backupEligible: true, userHandle: [7, 7])
    }

    var clientDataJSON: [UInt8] {
        clientData
            ?? SoftwareAuthenticator.clientData(
                type: type, challenge: challenge, origin: origin, crossOrigin: crossOrigin,
                topOrigin: topOrigin)
    }

    func verify() throws -> Result<VerifiedAssertion, WebAuthnRefusal> {
        let clientData = clientDataJSON
        let data = (authenticatorData ?? passkey.authenticatorData())
            .extended(by: authenticatorExtensions)
        let signature =
            try signature ?? passkey.sign(authenticatorData: data, clientData: clientData)
        return party.verify(
            assertion: UnverifiedAssertion(
                id: claimedId ?? passkey.credentialId, clientDataJSON: clientData,
                authenticatorData: data, signature: signature, userHandle: userHandle,
                clientExtensionResults: clientExtensions),
            for: stored, expecting: expectation)
    }
}

extension [UInt8] {
    /// Authenticator data with extension outputs at their end and the ED flag set.
    func extended(by outputs: [CBOREntry]?) -> [UInt8] {
        guard let outputs, count > 32 else { return self }
        return replacing(32, with: self[32] | 0x80)
            + CBORValue.map(outputs).encoded(ordering: .ctap2)
    }
}
