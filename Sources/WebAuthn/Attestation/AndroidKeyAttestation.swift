// SPDX-License-Identifier: Apache-2.0
import CBOR
import SwiftASN1
import X509

/// Section 8.4, Android key attestation: Android's key store certifies the credential's key.
enum AndroidKeyAttestation {
    /// `KM_ORIGIN_GENERATED`: made inside the key store.
    private static let generated: Int64 = 0
    /// `KM_PURPOSE_SIGN`.
    private static let sign: Int64 = 2
    /// `KM_PURPOSE_VERIFY`, which for a public key gives nothing away.
    private static let verify: Int64 = 3

    /// The verification procedure of section 8.4, in its order.
    static func verify(
        _ evidence: AttestationEvidence
    ) throws(StatementRefusal) -> VerifiedStatement {
        // 1: the statement is CBOR conforming to the syntax.
        try evidence.requireMembers(3)
        let number = try evidence.algorithmNumber()
        _ = try evidence.bytes("sig")
        // Android's key store hands out its root with the rest.
        let path = try CertificatePath.read(evidence.member("x5c"), mayEndInRoot: true)
        // 2: sig is over authenticatorData and clientDataHash, by the certificate's key.
        try evidence.requireSignature(
            by: path[0], algorithm: try evidence.algorithm(number),
            over: evidence.authenticatorData.bytes, evidence.clientDataHash)
        // 3: that key is the credential's.
        try evidence.requireCredentialKey(of: path[0])
        // 4: the challenge is clientDataHash. 5: the key store vouches for the right kind of key.
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
        // Bound to the RP ID by the application that made it, so never for all of them.
        guard !software.isForAllApplications, !hardware.isForAllApplications else {
            throw StatementRefusal(.attestationKeyAuthorizationWrong, "for all applications")
        }
        let lists = requiresHardware ? [hardware] : [software, hardware]
        let origins = Set(lists.compactMap(\.origin))
        let purposes = lists.reduce(into: Set<Int64>()) { $0.formUnion($1.purposes) }
        // Genuine lists always name both. Level 3's own vector (July 2026) names neither, so what
        // is missing is refused only where the hardware must vouch.
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
