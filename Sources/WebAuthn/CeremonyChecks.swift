// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The common steps of both ceremonies.
///
/// Sections 7.1 and 7.2 have the same order. The step numbers of section 7.2 are three higher for
/// client data and one higher for authenticator data.
struct CeremonyChecks {
    let ceremony: Ceremony
    let relyingParty: RelyingParty
    /// The required first bytes of authenticator data: the hash of the RP ID, or of an AppID.
    let rpIdHash: [UInt8]

    init(ceremony: Ceremony, relyingParty: RelyingParty, rpIdHash: [UInt8]? = nil) {
        self.ceremony = ceremony
        self.relyingParty = relyingParty
        self.rpIdHash = rpIdHash ?? relyingParty.idHash
    }

    /// Client data steps: number `n` of 7.1 is number `n + 3` of 7.2.
    private func clientDataStep(_ number: Int) -> CeremonyStep {
        CeremonyStep(ceremony, ceremony == .registration ? number : number + 3)
    }

    /// Authenticator data steps: number `n` of 7.1 is number `n + 1` of 7.2.
    private func authenticatorDataStep(_ number: Int) -> CeremonyStep {
        CeremonyStep(ceremony, ceremony == .registration ? number : number + 1)
    }

    private var expectedType: String {
        ceremony == .registration ? "webauthn.create" : "webauthn.get"
    }

    /// Steps 7.1.5 to 7.1.11, 7.2.8 to 7.2.14.
    func clientData(
        _ bytes: [UInt8], challenge: [UInt8]
    ) throws(WebAuthnRefusal) -> ClientData {
        // 7.1.5, 7.1.6; 7.2.8, 7.2.9: decode UTF-8, parse JSON.
        let data = try parse(bytes)
        // 7.1.7; 7.2.10: the type is the one of this ceremony.
        guard data.type.hasSameBytes(as: expectedType) else {
            throw WebAuthnRefusal(clientDataStep(7), .ceremonyTypeWrong, "type is \(data.type)")
        }
        // 7.1.8; 7.2.11: the challenge is the issued one.
        let expected = Base64URL.encodeBytes(challenge)
        guard !challenge.isEmpty, ConstantTime.equal(data.challenge.utf8, expected) else {
            throw WebAuthnRefusal(clientDataStep(8), .challengeMismatch, "another challenge")
        }
        // 7.1.9; 7.2.12: the origin is allowed.
        guard relyingParty.allows(origin: data.origin) else {
            throw WebAuthnRefusal(clientDataStep(9), .originNotAllowed, "origin \(data.origin)")
        }
        try frame(data)
        return data
    }

    private func parse(_ bytes: [UInt8]) throws(WebAuthnRefusal) -> ClientData {
        do { return try ClientData(json: bytes) } catch {
            throw WebAuthnRefusal(clientDataStep(6), .clientDataMalformed, "\(error)")
        }
    }

    private func frame(_ data: ClientData) throws(WebAuthnRefusal) {
        // 7.1.10; 7.2.13: a cross-origin frame only where one is expected.
        if data.crossOrigin == true, !relyingParty.allowCrossOrigin {
            throw WebAuthnRefusal(
                clientDataStep(10), .crossOriginNotAllowed, "in a cross-origin frame")
        }
        // 7.1.11; 7.2.14: the top origin, when there is one, is expected and known.
        guard let topOrigin = data.topOrigin else { return }
        guard relyingParty.allowCrossOrigin, relyingParty.allows(topOrigin: topOrigin) else {
            throw WebAuthnRefusal(
                clientDataStep(11), .topOriginNotAllowed, "top origin \(topOrigin)")
        }
        // Clients set topOrigin only inside a cross-origin frame (section 5.8.1).
        guard data.crossOrigin == true else {
            throw WebAuthnRefusal(
                clientDataStep(11), .topOriginNotAllowed, "topOrigin without crossOrigin")
        }
    }

    /// Steps 7.1.14 to 7.1.17, 7.2.15 to 7.2.18.
    func authenticatorData(
        _ data: AuthenticatorData, userVerification: UserVerificationRequirement,
        requiresPresence: Bool
    ) throws(WebAuthnRefusal) {
        // 7.1.14; 7.2.15: made for our RP ID.
        guard ConstantTime.equal(data.rpIdHash, rpIdHash) else {
            throw WebAuthnRefusal(authenticatorDataStep(14), .rpIdMismatch, "another RP ID hash")
        }
        // 7.1.15; 7.2.16: UP is set.
        if requiresPresence, !data.flags.contains(.userPresent) {
            throw WebAuthnRefusal(authenticatorDataStep(15), .userPresenceMissing, "UP is clear")
        }
        // 7.1.16; 7.2.17: UV is set where it was required.
        if userVerification == .required, !data.flags.contains(.userVerified) {
            throw WebAuthnRefusal(
                authenticatorDataStep(16), .userVerificationMissing, "UV is clear")
        }
        // 7.1.17; 7.2.18: BS only with BE.
        if data.flags.contains(.backupState), !data.flags.contains(.backupEligible) {
            throw WebAuthnRefusal(authenticatorDataStep(17), .backupFlagsInvalid, "BS without BE")
        }
    }
}
