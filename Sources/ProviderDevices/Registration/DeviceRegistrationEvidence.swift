// SPDX-License-Identifier: Apache-2.0
import OAuth
import PlatformSSO
import Primitives
import ProviderCore
import ProviderTokens
import Storage

/// Authenticates the person of a registration, who must have signed in recently for this purpose.
struct DeviceRegistrationEvidence {
    let context: CeremonyContext

    /// Maximum age of the sign-in.
    static let freshness = TimeSpan.minutes(15)

    init(_ context: CeremonyContext) { self.context = context }

    /// A person with the class of their sign-in.
    struct SignedInPerson: Sendable {
        let person: Person
        let contextClass: ContextClass
    }

    /// Authenticates with an access token that has the scope of Platform SSO and belongs to the
    /// project's Platform SSO client. Tokens of other clients are refused.
    func person(accessToken: String) async throws -> Result<SignedInPerson, Refusal> {
        let verified = try await AccessTokenVerifier(context.provider).verify(
            accessToken, tenant: context.tenant, for: .provider, shownWith: .bearer,
            now: context.now)
        let clientID = context.tenant.project.policy.platformSSO.clientID
        guard let claims = verified?.claims,
            verified?.hasScope(ProviderScope.platformSSO) == true,
            claims.clientID == clientID, claims.grant != nil,
            let id = Identifier<Person>(claims.subject),
            let person = try await context.store.people.person(id), !person.disabled,
            person.project == context.project
        else { return .failure(Self.refused("no such access token")) }
        let shown = claims.authenticatedAt.map { Timestamp(seconds: $0) }
        guard isFresh(shown) else { return .failure(Self.stale) }
        return .success(
            SignedInPerson(person: person, contextClass: Self.read(claims.contextClass)))
    }

    /// Authenticates with the refresh token of a login on the same device.
    func person(of held: DeviceGrant) -> Result<SignedInPerson, Refusal> {
        guard isFresh(held.grant.authenticatedAt) else { return .failure(Self.stale) }
        let context = GrantedContext(held.grant).contextClass
        return .success(SignedInPerson(person: held.person, contextClass: Self.read(context)))
    }

    private static func read(_ name: String?) -> ContextClass {
        name.flatMap { ContextClass(exactly: $0) } ?? .password
    }

    private func isFresh(_ time: Timestamp?) -> Bool {
        time.map { context.now - $0 <= Self.freshness } ?? false
    }

    static func refused(_ reason: String) -> Refusal {
        Refusal(
            "registration_refused",
            "Sign in first, with the scope \(ProviderScope.platformSSO).",
            reason: reason)
    }

    private static var stale: Refusal {
        UserFacingRefusal.freshSignInNeeded.refusal(because: "the sign-in is too long ago")
    }
}
