// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
package import Storage

/// The person of an access token. Both are active.
package struct AccessTokenSubject: Sendable {
    package let person: Person
    package let token: VerifiedAccessToken
    package let grant: Identifier<Grant>

    /// - Parameter accessToken: `nil` if the request had none.
    /// - Returns: `nil` without an active token or person. An invalid DPoP proof has a separate
    ///   refusal.
    package static func find(
        _ accessToken: PresentedAccessToken?, in context: CeremonyContext
    ) async throws -> Result<AccessTokenSubject?, Refusal> {
        guard let accessToken else { return .success(nil) }
        let access = ResourceAccess(
            provider: context.provider, tenant: context.tenant, facts: context.facts)
        switch try await access.verify(accessToken) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let token): return .success(try await bearer(of: token, in: context))
        }
    }

    /// Finds the person of a token inside a message whose sender has proven a key.
    package static func find(
        _ accessToken: String, shownWith possession: SenderConstraint, in context: CeremonyContext
    ) async throws -> AccessTokenSubject? {
        let token = try await AccessTokenVerifier(context.provider).verify(
            accessToken, tenant: context.tenant, for: .provider, shownWith: possession,
            now: context.now)
        return try await bearer(of: token, in: context)
    }

    private static func bearer(
        of token: VerifiedAccessToken?, in context: CeremonyContext
    ) async throws -> AccessTokenSubject? {
        guard let token, let id = Identifier<Person>(token.claims.subject),
            let grant = token.claims.grant,
            let person = try await context.store.people.person(id), !person.disabled,
            person.project == context.project
        else { return nil }
        return AccessTokenSubject(person: person, token: token, grant: grant)
    }
}
