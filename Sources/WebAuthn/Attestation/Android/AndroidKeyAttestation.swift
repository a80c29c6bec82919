// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import X509

/// Section 8.4, Android key attestation: Android's key store certifies the credential's key.
enum AndroidKeyAttestation {
    /// `KM_ORIGIN_GENERATED`: made inside the key store.
    private static let generated: Int64 = 0
    /// `KM_PURPOSE_SIGN`.
    private static let sign: Int64 = 2
    /// `KM_PURPOSE_VERIFY`, which is harmless for a public key.
    private static let verify: Int64 = 3

    /// The verification procedure of section 8.4, in its order.
    static func verify(
        _ evidence: AttestationEvidence
    ) throws(StatementRefusal) -> VerifiedStatement {
        // 1: the statement is CBOR conforming to the syntax.
        try evidence.requireMembers(3)
        let number = try evidence.algorithmNumber()
        _ = try evidence.bytes("sig")
        // The x5c of Android's key store contains the root.
        let path = try CertificatePath.read(evidence.member("x5c"), mayEndInRoot: true)
        // 2: the certificate's key signs authenticatorData and clientDataHash.
        try evidence.requireSignature(
            by: path[0], algorithm: try evidence.algorithm(number),
            over: evidence.authenticatorData.bytes, evidence.clientDataHash)
        // 3: that key is the credential's.
        try evidence.requireCredentialKey(of: path[0])
        // 4: the challenge is clientDataHash. 5: the key store attests the required kind of key.
        let description = try description(in: path[0].certificate)
        guard description.attestationChallenge == evidence.clientDataHash else {
            throw StatementRefusal(.attestationChallengeMismatch, "another challenge")
        }
        try check(description, requiresHardware: evidence.policy.requiresHardwareKeyOfAndroid)
        // 6: return the path.
        return VerifiedStatement(type: .certified, trustPath: path, isAndroidKey: true)
    }

    private static func description(
        in certificate: Certificate
    ) throws(StatementRefusal) -> AndroidKeyDescription {
        guard let found = certificate.extensions[oid: AndroidKeyDescription.identifier] else {
            throw StatementRefusal(
                .attestationKeyDescriptionMalformed, "the key description is missing")
        }
        do { return try AndroidKeyDescription(der: found.value) } catch {
            throw StatementRefusal(
                .attestationKeyDescriptionMalformed, "the key description cannot be read")
        }
    }

    private static func check(
        _ description: AndroidKeyDescription, requiresHardware: Bool
    ) throws(StatementRefusal) {
        let (software, hardware) = (description.softwareEnforced, description.hardwareEnforced)
        // The application that created the key binds it to the RP ID, so the key must not be usable
        // by all applications.
        guard !software.isForAllApplications, !hardware.isForAllApplications else {
            throw StatementRefusal(.attestationKeyAuthorizationWrong, "for all applications")
        }
        let lists = requiresHardware ? [hardware] : [software, hardware]
        let origins = Set(lists.compactMap(\.origin))
        let purposes = lists.reduce(into: Set<Int64>()) { $0.formUnion($1.purposes) }
        // Genuine lists always contain both. Level 3's own vector (July 2026) contains neither, so
        // a missing value is refused only if hardware enforcement is required.
        guard !requiresHardware || !(origins.isEmpty || purposes.isEmpty) else {
            throw StatementRefusal(
                .attestationKeyAuthorizationWrong, "the hardware names no origin or no purpose")
        }
        guard origins.isSubset(of: [generated]) else {
            throw StatementRefusal(
                .attestationKeyAuthorizationWrong, "not made in the key store: \(origins)")
        }
        guard purposes.isEmpty || purposes.contains(sign), purposes.isSubset(of: [sign, verify])
        else {
            throw StatementRefusal(
                .attestationKeyAuthorizationWrong, "not for signing: \(purposes)")
        }
    }
}
