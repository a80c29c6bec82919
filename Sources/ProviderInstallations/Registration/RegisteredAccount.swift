// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
package import Primitives
package import ProviderCore
import ProviderTokens
package import Storage

/// The operations of an app on its person's account: list and remove installations, and close the
/// account. The access token needs the scope `registration` and is bound to a key. Third-party
/// clients receive the scope only with the permission of an administrator
/// (``ClientMetadata/managesAccounts``).
package struct RegisteredAccount: Sendable {
    package let person: Person
    /// The installation of the request; `nil` if its token is not of an installation.
    package let current: Identifier<Installation>?
    /// The time of the person's sign-in.
    let authenticatedAt: Timestamp?
    /// The `amr` values of the sign-in (RFC 8176).
    let methods: [String]
    /// The `acr` value of the sign-in.
    let contextClass: String
    /// The grant of the token.
    let grant: Identifier<Grant>
    let clientID: String
    private let context: CeremonyContext

    private init(
        _ bearer: AccessTokenSubject, current: Identifier<Installation>?,
        in context: CeremonyContext
    ) {
        let claims = bearer.token.claims
        person = bearer.person
        self.current = current
        authenticatedAt = claims.authenticatedAt.map(Timestamp.init(seconds:))
        methods = claims.methods ?? []
        contextClass = claims.contextClass ?? ""
        grant = bearer.grant
        clientID = claims.clientID
        self.context = context
    }

    /// - Parameter accessToken: `nil` if the request had none.
    package static func open(
        _ accessToken: PresentedAccessToken?, in context: CeremonyContext
    ) async throws -> Result<RegisteredAccount, Refusal> {
        switch try await AccessTokenSubject.find(accessToken, in: context) {
        case .success(let bearer): try await open(bearer, in: context)
        case .failure(let refusal): .failure(refusal)
        }
    }

    /// Opens the account with a token inside a message.
    ///
    /// - Parameter key: The thumbprint of the key that has signed the message. The token must be
    ///   bound to it.
    static func open(
        _ accessToken: String, provenBy key: String?, in context: CeremonyContext
    ) async throws -> Result<RegisteredAccount, Refusal> {
        let bearer = try await AccessTokenSubject.find(
            accessToken, shownWith: key.map { .key($0) } ?? .bearer, in: context)
        return try await open(bearer, in: context)
    }

    private static func open(
        _ bearer: AccessTokenSubject?, in context: CeremonyContext
    ) async throws -> Result<RegisteredAccount, Refusal> {
        guard let bearer else {
            return .failure(
                RegistrationErrorCode.notSignedIn.refusal(because: "no standing access token"))
        }
        guard bearer.token.hasScope(ProviderScope.registration) else {
            return .failure(RegistrationErrorCode.scopeMissing.refusal(because: "scope"))
        }
        guard bearer.token.claims.confirmation != nil else {
            return .failure(
                RegistrationErrorCode.notSignedIn.refusal(
                    because: "a token that is bound to no key"))
        }
        return .success(
            RegisteredAccount(
                bearer, current: try await context.store.grants.grant(bearer.grant)?.installation,
                in: context))
    }

    package func installations() async throws -> [Installation] {
        try await context.store.installations.installations(of: person.id)
    }

    /// Removes the installation with its key and its grants.
    package func remove(
        _ installation: Identifier<Installation>
    ) async throws -> Result<Void, Refusal> {
        let draft = draft("installation.removed", installation)
        let removed = try await context.store.installations.remove(
            installation: installation, of: person.id, now: context.now,
            recording: context.provider.audit.prepare(draft))
        guard removed else {
            return try await context.refuse(
                draft, .unknownInstallation, because: "not theirs, or gone")
        }
        context.provider.audit.wasRecorded(draft)
        return .success(())
    }

    /// Ends all sessions of the person and revokes the grants of clients. Installations and their
    /// keys stay.
    package func signOutEverywhere() async throws {
        try await context.store.sessions.endEverything(of: person.id, now: context.now)
        try await context.provider.audit.record(draft("person.signed-out-everywhere", nil))
    }

    /// Deletes the person with all records. People of another identity provider must close the
    /// account there, unless the project allows it here.
    package func close() async throws -> Result<Void, Refusal> {
        let draft = draft("person.deregistered", nil)
        // A person who registered here and linked another provider later is not a person of that
        // provider.
        let credentials = try await context.store.credentials.credentials(of: person.id)
        let isFederated =
            !person.realm.isEmpty && credentials.contains { $0.kind == .federatedIdentity }
        guard !isFederated || context.tenant.project.policy.registration.federatedDeregistration
        else {
            return try await context.refuse(draft, .deregistrationRefused, because: "federated")
        }
        switch try await context.store.installations.deregister(
            person: person.id, within: RemovalBudgets(of: person, in: context).all,
            window: RemovalBudgets.window, recording: context.provider.audit.prepare(draft))
        {
        case .unknown:
            return try await context.refuse(draft, .notSignedIn, because: "closed in the meantime")
        case .lastOwner:
            return try await context.refuse(draft, .deregistrationRefused, because: "last owner")
        case .limited(let end):
            let declined = RemovalBudgets.refusal(until: end, for: person, at: context.now)
            return try await context.finish(draft.action, .failure(declined)) { nil }
        case .removed:
            context.provider.audit.wasRecorded(draft)
            return .success(())
        }
    }

    private func draft(
        _ action: String, _ installation: Identifier<Installation>?
    ) -> AuditEventDraft {
        var details = JSONObject()
        details["installation"] = installation.map { .string($0.description) }
        return AuditEventDraft(
            action, in: context.project, facts: context.facts, person: person.id,
            details: details.json.text)
    }
}
