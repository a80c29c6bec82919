// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Attestation
import JOSE
import Primitives
import ProviderCore
import Storage

/// `playIntegrity` (`PLAY_INTEGRITY`): `{"token": …}`, a classic integrity token whose `nonce` is
/// the challenge of the registration in base64url. It does not attest a key; the challenge binds
/// the key.
struct PlayIntegrityEvidence: RegistrationEvidenceVerifier {
    let method = AppRegistrationMethod.playIntegrity
    let needsKey = true

    func verify(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> Result<VerifiedRegistrationEvidence, CeremonyRefusal> {
        let project = context.tenant.project
        let secrets = RegistrationSecrets(of: project, in: context.provider)
        guard let verifier = project.policy.registration.android.playIntegrity(secrets),
            let challenge = claim.challenge
        else { return .failure(AttestedEvidence.notSetUp) }
        guard let token = claim.request.evidence["token"]?.string else {
            return .declined(
                .missingInput, "evidence.token is missing.", because: "no token", stranger: true)
        }
        do throws(AttestationRefusal) {
            let verified = try await verifier.check(
                UnverifiedPlayIntegrityToken(token),
                expecting: AttestationExpectation(challenge: challenge, now: context.now))
            return .success(vouched(by: verified))
        } catch { return .failure(AttestedEvidence.declined(error)) }
    }

    private func vouched(by verified: VerifiedPlayIntegrity) -> VerifiedRegistrationEvidence {
        var details = JSONObject()
        details["application"] = .string(verified.verdict.request.packageName)
        details["version"] = verified.verdict.app.versionCode.map(JSONValue.integer)
        details["device"] = .array(verified.verdict.deviceLabels.map(JSONValue.string))
        return VerifiedRegistrationEvidence(details: details)
    }
}
