// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import ProviderCore
import Storage

/// A method whose evidence is a token of a registered issuer, `{"token": …}`.
protocol IssuedTokenEvidence: RegistrationEvidenceVerifier {
    /// The kind of issuer keys that are accepted.
    var kind: IssuerKey.Kind { get }
    func vouched(
        by token: VerifiedIssuerToken
    ) -> Result<VerifiedRegistrationEvidence, CeremonyRefusal>
}

extension IssuedTokenEvidence {
    func verify(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> Result<VerifiedRegistrationEvidence, CeremonyRefusal> {
        guard let sent = claim.request.evidence["token"] else {
            return .declined(
                .missingInput, "evidence.token is missing.", because: "no token", stranger: true)
        }
        guard let token = sent.string else {
            return .declined(
                .malformedInput, "evidence.token must be text.", because: "token", stranger: true)
        }
        return try await IssuedTokenCheck(
            provider: context.provider, tenant: context.tenant, now: context.now, kind: kind
        ).verify(token).flatMap(vouched)
    }
}
