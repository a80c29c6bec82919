// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Attestation
import JOSE
import Primitives
import Storage

/// What methods share whose evidence is a vendor's word on app and device. Whoever registers so is
/// nobody in particular: a new person each time.
enum AttestedEvidence {
    /// Bytes of the evidence, in base64 or base64url.
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

    /// The refusal names the check, so that whoever writes an app finds the mistake; why exactly
    /// it failed is for the log.
    static func declined(_ refusal: AttestationRefusal) -> CeremonyRefusal {
        var declined = CeremonyRefusal(
            .evidenceRefused, because: refusal.description, stranger: true)
        declined.refusal.members = [
            .init(name: "check", value: .string(refusal.code.rawValue))
        ]
        return declined
    }

    /// A method whose settings are not complete is not offered.
    static var notSetUp: CeremonyRefusal {
        CeremonyRefusal(.methodNotSupported, because: "the method is not set up", stranger: true)
    }
}
