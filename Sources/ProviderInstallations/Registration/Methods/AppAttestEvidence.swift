// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Attestation
import JOSE
import Primitives
import ProviderCore
import Storage

/// `appAttest`: `{"key_id", "attestation"}` from `generateKey` and `attestKey`. The app passes the
/// challenge of the registration to `attestKey` as `clientDataHash`, which binds the key of the
/// installation to an accepted app on a genuine device. The attested key signs assertions later.
struct AppAttestEvidence: RegistrationEvidenceVerifier {
    let method = AppRegistrationMethod.appAttest
    let needsKey = true

    private static let maximumLength = 32_768

    func verify(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> Result<VerifiedRegistrationEvidence, CeremonyRefusal> {
        let rules = context.tenant.project.policy.registration.apple
        guard let verifier = rules.appAttest, let challenge = claim.challenge else {
            return .failure(AttestedEvidence.notSetUp)
        }
        let (identifier, attestation): ([UInt8], [UInt8])
        switch AttestedEvidence.bytes("key_id", of: claim, upTo: 64) {
        case .success(let bytes): identifier = bytes
        case .failure(let declined): return .failure(declined)
        }
        switch AttestedEvidence.bytes("attestation", of: claim, upTo: Self.maximumLength) {
        case .success(let bytes): attestation = bytes
        case .failure(let declined): return .failure(declined)
        }
        do throws(AttestationRefusal) {
            let verified = try await verifier.check(
                UnverifiedAppAttest(attestation: attestation, keyIdentifier: identifier),
                expecting: AttestationExpectation(challenge: challenge, now: context.now))
            return .success(vouched(by: verified))
        } catch { return .failure(AttestedEvidence.declined(error)) }
    }

    private func vouched(by verified: VerifiedAppAttest) -> VerifiedRegistrationEvidence {
        var details = JSONObject()
        details["application"] = .string(verified.application)
        details["environment"] = .string(verified.environment.rawValue)
        details["category"] = verified.category.map(JSONValue.string)
        // The receipt can be exchanged with Apple for a newer one with the risk metric.
        details["receipt"] = .string(Base64URL.encode(verified.receiptBytes))
        return VerifiedRegistrationEvidence(
            details: details,
            attestedKey: AttestedAppKey(key: verified.key, application: verified.application))
    }
}
