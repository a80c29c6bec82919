// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives
import ProviderCore
import ProviderTokens
import Storage

/// `oidc`: `{"access_token": …, "proof"?}` of a person who has just signed in in a browser, with
/// the authorization code flow of this project. The installation is registered for this person.
///
/// The token is bound to the key that is registered, or to another key. In the second case `proof`
/// is required: a DPoP proof for `POST /registration` and this token (RFC 9449 section 4). The
/// registration revokes the grant of the token: it is evidence for one installation.
struct BrowserEvidence: RegistrationEvidenceVerifier {
    let method = AppRegistrationMethod.oidc
    let needsKey = true

    /// Maximum number of seconds since the sign-in of the person.
    private static let freshness: Int64 = 600

    func reusesPerson(_ policy: RegistrationPolicy) -> Bool { true }

    func verify(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> Result<VerifiedRegistrationEvidence, CeremonyRefusal> {
        guard let token = claim.request.evidence["access_token"]?.string else {
            return .declined(
                .missingInput, "evidence.access_token is missing.", because: "no token",
                stranger: true)
        }
        let proof = proof(claim, context)
        let proven: DPoPVerifier.Proven?
        switch proof.check(with: token) {
        case .success(let shown): proven = shown
        case .failure(let refusal): return Self.stranger(refusal)
        }
        let account: RegisteredAccount
        let key = proven?.thumbprint ?? claim.key?.jwk.thumbprintText
        switch try await RegisteredAccount.open(token, provenBy: key, in: context) {
        case .success(let opened): account = opened
        case .failure(let refusal): return Self.stranger(refusal)
        }
        if let proven, let refusal = try await proof.use(proven) {
            return .failure(CeremonyRefusal(refusal, person: account.person.id))
        }
        // A token of an installation's key proves a device and not the consent of its owner.
        guard account.current == nil else {
            return .declined(.tokenRefused, because: "a token of an installation")
        }
        guard let time = account.authenticatedAt,
            context.now.seconds - time.seconds <= Self.freshness
        else {
            return .declined(
                .tokenExpired, "Sign in in the browser once more.", because: "signed in long ago")
        }
        return .success(
            VerifiedRegistrationEvidence(person: account.person, consumedGrant: account.grant))
    }

    /// The verifier of the proof, if the token is bound to a key other than the registered one.
    private func proof(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) -> DPoPVerifier {
        var facts = context.facts
        facts.proof = claim.request.evidence["proof"]?.string.map {
            PresentedDPoPProof(
                fields: [$0], method: "POST", address: context.tenant.issuer + "/registration")
        }
        return DPoPVerifier(
            provider: context.provider, tenant: context.tenant, facts: facts)
    }

    private static func stranger(
        _ refusal: Refusal
    ) -> Result<VerifiedRegistrationEvidence, CeremonyRefusal> {
        .failure(CeremonyRefusal(refusal, isStranger: true))
    }
}
