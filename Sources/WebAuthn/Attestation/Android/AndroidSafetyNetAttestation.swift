// SPDX-License-Identifier: Apache-2.0
import Primitives
import X509

/// Section 8.5, Android SafetyNet attestation. Google ended the service in 2024; statements are
/// still verified because the standard still has them.
enum AndroidSafetyNetAttestation {
    /// The host name in the service's certificate.
    private static let host = "attest.android.com"
    /// The maximum age of a response, in milliseconds.
    private static let maximumAge: Int64 = 60_000
    /// The maximum clock skew of the service into the future, in milliseconds.
    private static let clockSkew: Int64 = 10_000

    /// The verification procedure of section 8.5, in its order.
    static func verify(
        _ evidence: AttestationEvidence
    ) throws(StatementRefusal) -> VerifiedStatement {
        // 1: the statement is CBOR conforming to the syntax.
        try evidence.requireMembers(2)
        _ = try evidence.text("ver")
        let text = try evidence.bytes("response")
        // 2: the response is a genuine one of version "ver": a JWS with its certificates inside.
        let response = try SafetyNetResponse(compact: text)
        // 3: the nonce is the hash of what is attested.
        let nonce = COSEHash.sha256.digest(
            evidence.authenticatorData.bytes, evidence.clientDataHash)
        guard response.nonce == nonce else {
            throw StatementRefusal(.attestationChallengeMismatch, "another nonce")
        }
        // 4: the SafetyNet service signed the response.
        let path = try CertificatePath.read(response.certificates, mayEndInRoot: true)
        try checkHost(of: path[0].certificate)
        try response.requireSignature(by: path[0])
        // 5: the device passed, just now.
        guard response.isGenuineDevice else {
            throw StatementRefusal(.attestationDeviceNotGenuine, "ctsProfileMatch is false")
        }
        let age = evidence.now.milliseconds.subtractingReportingOverflow(response.milliseconds)
        guard !age.overflow, -clockSkew...maximumAge ~= age.partialValue else {
            throw StatementRefusal(
                .attestationTimestampInvalid, "\(age.partialValue) milliseconds old")
        }
        // 6: return the path.
        return VerifiedStatement(type: .certified, trustPath: path)
    }

    private static func checkHost(of certificate: Certificate) throws(StatementRefusal) {
        let names: SubjectAlternativeNames?
        do { names = try certificate.extensions.subjectAlternativeNames } catch {
            throw StatementRefusal(.attestationCertificateInvalid, "no names can be read")
        }
        guard names?.contains(.dnsName(host)) == true else {
            throw StatementRefusal(.attestationCertificateInvalid, "not of \(host)")
        }
    }
}
