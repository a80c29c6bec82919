// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Attestation
import JOSE
import Primitives
import ProviderCore
import Storage
import WebAuthn

/// `keyAttestation`: `{"certificates": […]}`, the chain that the Android key store returns for a
/// key, DER in Base64, the certificate of the key first. `setAttestationChallenge` is the 32 bytes
/// of the nonce: it is set before the key exists, and the certificate contains the key.
struct KeyAttestationEvidence: RegistrationEvidenceVerifier {
    let method = AppRegistrationMethod.keyAttestation
    let needsKey = true

    /// Chains of Android have three to six certificates.
    private static let maximumCertificates = 10
    private static let maximumLength = 16_384

    func verify(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> Result<VerifiedRegistrationEvidence, CeremonyRefusal> {
        let rules = context.tenant.project.policy.registration.android
        let verifier = await rules.keyAttestation { await context.provider.revocations.current() }
        guard let verifier, let key = claim.key, let challenge = Base64URL.decode(claim.nonce.text)
        else { return .failure(AttestedEvidence.notSetUp) }
        guard let sent = claim.request.evidence["certificates"] else {
            return .declined(
                .missingInput, "evidence.certificates is missing.", because: "no chain",
                stranger: true)
        }
        guard let certificates = Self.certificates(sent) else {
            return .declined(
                .malformedInput, "evidence.certificates cannot be read.", because: "chain",
                stranger: true)
        }
        do throws(AttestationRefusal) {
            let verified = try await verifier.check(
                UnverifiedAndroidKey(certificates: certificates),
                expecting: AttestationExpectation(
                    challenge: challenge, key: key.jwk, now: context.now))
            return .success(vouched(by: verified))
        } catch { return .failure(AttestedEvidence.declined(error)) }
    }

    private static func certificates(_ value: JSONValue) -> [[UInt8]]? {
        guard let texts = value.strings, (1...maximumCertificates).contains(texts.count) else {
            return nil
        }
        var certificates: [[UInt8]] = []
        for text in texts {
            guard text.utf8.count <= maximumLength * 2, let der = AttestedEvidence.decode(text),
                der.count <= maximumLength
            else { return nil }
            certificates.append(der)
        }
        return certificates
    }

    private func vouched(by verified: VerifiedAndroidKey) -> VerifiedRegistrationEvidence {
        var details = JSONObject()
        details["application"] = .string(verified.application.packageName)
        details["level"] = verified.facts.level.map { .string("\($0)") }
        details["os_patch"] = verified.facts.osPatchLevel.map(JSONValue.integer)
        return VerifiedRegistrationEvidence(
            details: details,
            keyIsInHardware: verified.facts.level.map { $0 >= .trustedEnvironment } ?? false)
    }
}
