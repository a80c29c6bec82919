// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Storage

/// `signedJWT`: an issuer that an administrator registered vouches for somebody (custom federated
/// sign-in, "FSSO"). The person is the issuer's `sub`, and is named so.
struct SignedJWTEvidence: RegistrationEvidence {
    let method = RegistrationMethod.signedJWT
    let needsKey = false

    func verify(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> Result<VouchedRegistration, Declined> {
        guard let token = claim.request.evidence["token"]?.string else {
            return .declined(
                .missingInput, "evidence.token is missing.", because: "no token", stranger: true)
        }
        return try await IssuedTokenCheck(
            provider: context.provider, tenant: context.tenant, now: context.now, kind: .federation
        ).verify(token).map(Self.vouched)
    }

    private static func vouched(_ token: BelievedToken) -> VouchedRegistration {
        let kept = token.claims.members.filter { token.key.settings.attributes.contains($0.name) }
        return VouchedRegistration(
            identity: FederatedIdentity(issuer: token.key.issuer, subject: token.subject),
            name: (token.subject, token.key.issuer), attributes: JSONObject(kept),
            uses: [token.use])
    }
}
