// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Whoever an access token speaks for, when both still stand.
struct TokenBearer: Sendable {
    let person: Person
    let token: VerifiedAccessToken
    let grant: Identifier<Grant>

    /// - Parameter accessToken: `nil` when none was sent.
    static func find(
        _ accessToken: String?, in context: CeremonyContext
    ) async throws -> TokenBearer? {
        guard let accessToken,
            let token = try await AccessTokenVerifier(context.provider)
                .verify(accessToken, tenant: context.tenant, now: context.now),
            let id = Identifier<Person>(token.claims.subject), let grant = token.claims.grant,
            let person = try await context.store.person(id), !person.disabled,
            person.project == context.project
        else { return nil }
        return TokenBearer(person: person, token: token, grant: grant)
    }
}
