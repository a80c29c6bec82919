// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Whoever an access token speaks for, when both still stand.
struct AccessTokenSubject: Sendable {
    let person: Person
    let token: VerifiedAccessToken
    let grant: Identifier<Grant>

    /// - Parameter accessToken: `nil` when none was sent.
    /// - Returns: `nil` for nobody; a wrong proof of possession is refused in words of its own.
    static func find(
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

    /// With a token that is not shown by itself but in a message, whose key is known.
    static func find(
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
            let person = try await context.store.person(id), !person.disabled,
            person.project == context.project
        else { return nil }
        return AccessTokenSubject(person: person, token: token, grant: grant)
    }
}
