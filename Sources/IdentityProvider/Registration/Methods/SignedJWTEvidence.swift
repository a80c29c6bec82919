// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Storage

/// `signedJWT`: an issuer that an administrator registered vouches for somebody (custom federated
/// sign-in, "FSSO"). The person is the issuer's `sub`, and is named so.
struct SignedJWTEvidence: IssuedTokenEvidence {
    let method = AppRegistrationMethod.signedJWT
    let needsKey = false
    let kind = IssuerKey.Kind.federation

    func reusesPerson(_ policy: RegistrationPolicy) -> Bool { policy.secondInstallations }

    func vouched(
        by token: VerifiedIssuerToken
    ) -> Result<VerifiedRegistrationEvidence, CeremonyRefusal> {
        let kept = token.claims.members.filter { token.key.settings.attributes.contains($0.name) }
        return .success(
            VerifiedRegistrationEvidence(
                identity: FederatedIdentity(issuer: token.key.issuer, subject: token.subject),
                name: (token.subject, token.key.issuer), attributes: JSONObject(kept),
                uses: [token.use]))
    }
}
