// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Attestation
import JOSE
import Primitives
import ProviderCore
import Storage

/// Shared code of the methods whose evidence is the attestation of an app and a device by a vendor.
/// The evidence identifies no person, so each registration creates a new one.
enum AttestedEvidence {
    /// Decodes a member of the evidence from Base64 or base64url.
    static func bytes(
        _ name: String, of claim: RegistrationClaim, upTo longest: Int
    ) -> Result<[UInt8], CeremonyRefusal> {
        guard let value = claim.request.evidence[name] else {
            return .declined(
                .missingInput, "evidence.\(name) is missing.", because: name, stranger: true)
        }
        guard let text = value.string, text.utf8.count <= longest * 2, let bytes = decode(text),
            bytes.count <= longest
        else {
            return .declined(
                .malformedInput, "evidence.\(name) cannot be read.", because: name, stranger: true)
        }
        return .success(bytes)
    }

    static func decode(_ text: String) -> [UInt8]? {
        Base64URL.decode(text) ?? Base64.decode(text)
    }

    /// The refusal names the failed check for the developer of the app. The details are only in the
    /// log.
    static func declined(_ refusal: AttestationRefusal) -> CeremonyRefusal {
        var declined = CeremonyRefusal(
            .evidenceRefused, because: refusal.description, stranger: true)
        declined.refusal.members = [
            .init(name: "check", value: .string(refusal.code.rawValue))
        ]
        return declined
    }

    /// The refusal of a method whose settings are incomplete.
    static var notSetUp: CeremonyRefusal {
        CeremonyRefusal(.methodNotSupported, because: "the method is not set up", stranger: true)
    }
}
