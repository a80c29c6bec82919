// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import OAuth
import PlatformSSO
import Primitives
import ProviderCore
import SAML
import Storage
import WebAuthn

/// The SAML assertion of a login with WS-Trust (Apple "Performing a WS-Trust login request"). It
/// must be issued by the security token service of the project, for this provider and this person,
/// and is accepted once.
struct FederatedAssertion {
    let version: VerifiedLoginRequest.SAMLVersion
    let bytes: [UInt8]
    /// The person with the username of the request.
    let person: Person?

    /// All refusals are temporary errors to macOS, because the password was accepted by the
    /// security token service.
    func redeem(
        _ call: DeviceRequestContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal> {
        let policy = call.place.policy.federation
        guard !policy.issuer.isEmpty else {
            return .refused(
                .samlNotOffered, because: "no issuer of SAML assertions is accepted here",
                person: person?.id)
        }
        let assertion: VerifiedSAMLAssertion
        switch verifier(call).verify(bytes, as: version == .v2 ? .v2 : .v11, now: call.now) {
        case .success(let verified): assertion = verified
        case .failure(let refusal): return refused(.samlRefused, refusal.description)
        }
        guard let person, FederatedSubject(policy).names(person, in: assertion) else {
            return refused(.userMismatch, "the assertion is another person's")
        }
        // Administrators cannot sign in with an assertion: an administrator of the project chooses
        // its issuer, and could impersonate a person with more rights.
        guard try await call.context.store.administrators.administration(of: person.id).isEmpty
        else {
            return refused(.samlRefused, "administrators are not signed in by others' word")
        }
        guard try await isFirstUse(of: assertion, call) else {
            return refused(.samlRefused, "the assertion was used before")
        }
        return .success(VerifiedPerson(person: person, factor: factor(assertion, call)))
    }

    private func verifier(_ call: DeviceRequestContext) -> SAMLAssertionVerifier {
        let policy = call.place.policy.federation
        let issuer = SAMLAssertionVerifier.Issuer(name: policy.issuer, keys: Self.keys(policy))
        return SAMLAssertionVerifier(
            issuers: [issuer], audiences: [call.place.federationAudience],
            recipients: [call.place.tokenURL])
    }

    /// The stored values are valid keys. An invalid value is ignored.
    static func keys(_ policy: FederationPolicy) -> [PublicJWK] {
        policy.keys.compactMap { text in
            guard let der = Base64.decode(text) else { return nil }
            return (try? PublicJWK(der: der)) ?? (try? AttestationChain(der: [der]))?.leaf.publicKey
        }
    }

    private func isFirstUse(
        of assertion: VerifiedSAMLAssertion, _ call: DeviceRequestContext
    ) async throws -> Bool {
        let name = "\(assertion.issuer)\u{0}\(assertion.identifier)"
        let hash = SHA256.hash(data: call.context.project.bytes + Array(name.utf8))
        // Because of clock skew, the assertion can be valid for some time after its expiry.
        return try await call.context.store.challenges.markUsed(
            OneTimeIdentifier(.samlAssertion, key: Array(hash)),
            expiresAt: assertion.expiresAt + .minutes(5)
        )
    }

    /// The factor has the time of the assertion, and at most the current time.
    private func factor(
        _ assertion: VerifiedSAMLAssertion, _ call: DeviceRequestContext
    ) -> AuthenticationFactor {
        AuthenticationFactor(
            at: min(assertion.authenticatedAt ?? call.now, call.now),
            methods: [AuthenticationFactor.federatedMethod],
            contextClass: ContextClass.password.rawValue)
    }

    private func refused(
        _ code: PlatformSSORefusal.Code, _ reason: String
    ) -> Result<VerifiedPerson, CeremonyRefusal> {
        .refused(code, because: reason, person: person?.id)
    }
}
