// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import ProviderCore
import Storage

/// `signedJWT`: a token of a registered issuer about a person (custom federated sign-in, "FSSO").
/// The username is the `sub` at the issuer.
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
