// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
package import ProviderCore
import Storage

/// A logout that an upstream provider initiates. It ends the sessions that depend on the provider's
/// session, and revokes their grants.
package struct UpstreamLogout: Sendable {
    private let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// The logout URL for the provider: POST for the back channel, GET for the front channel.
    package static func address(_ name: String, of tenant: Tenant) -> String {
        "\(tenant.issuer)\(path(name))"
    }

    package static func path(_ name: String) -> String { "/sign-out/by/\(name)" }

    // MARK: Back channel

    /// OpenID Connect Back-Channel Logout 1.0 section 2.5: the provider sends a logout token, which
    /// is accepted once. An unknown person counts as signed out.
    package func run(
        _ token: String, from name: String
    ) async throws -> Result<Void, Refusal> {
        let outcome = try await end(token, name)
        return try await context.finish("sign-out.upstream", outcome, person: \.first).map { _ in }
    }

    private func end(
        _ token: String, _ name: String
    ) async throws -> Result<[Identifier<Person>], CeremonyRefusal> {
        guard let provider = try await provider(name) else {
            return refuse("no such provider")
        }
        let metadata: UpstreamMetadata
        switch await context.provider.upstreamDirectory.metadata(of: provider, now: context.now) {
        case .success(let found): metadata = found
        case .failure(let failure): return .failure(failure.stranger)
        }
        let check = UpstreamLogoutTokenCheck(
            provider: provider, metadata: metadata, context: context)
        switch await check.verify(token) {
        case .failure(let failure): return .failure(failure.stranger)
        case .success(let verified):
            guard
                try await context.store.challenges.markUsed(
                    verified.use.mark, expiresAt: verified.use.expiresAt)
            else { return refuse("the logout token was used before") }
            return .success(try await end(verified, provider))
        }
    }

    /// Ends the sessions of the provider's session, or all sessions of the person if the token
    /// names only the person. Sessions without a session identifier of the provider end in both
    /// cases, because one of them may be meant.
    private func end(
        _ token: VerifiedLogoutToken, _ provider: UpstreamProvider
    ) async throws -> [Identifier<Person>] {
        var named: [Identifier<Person>] = []
        if let session = token.session {
            named = try await context.store.upstreamProviders.endSessions(
                restingOn: session.hash, of: context.project, now: context.now)
        }
        guard let subject = token.subject,
            let link = try await context.store.credentials.credential(
                externalID: provider.identity(of: subject).externalID, kind: .federatedIdentity,
                in: context.project)
        else { return named }
        let ended = try await context.store.upstreamProviders.endSessions(
            vouchedBy: link.id, of: link.person, unnamedOnly: token.session != nil,
            now: context.now)
        return ended > 0 ? [link.person] : named
    }

    // MARK: Front channel

    /// OpenID Connect Front-Channel Logout 1.0 section 3: a page of the provider contains a frame
    /// of this provider. Browsers send no cookies in it. Therefore the session identifier of the
    /// provider identifies the session; it is known only to the two providers.
    ///
    /// - Returns: the origins of the provider, whose pages may frame the response; `nil` if the
    ///   logout is not supported.
    package func run(
        issuer: String?, session: String?, from name: String
    ) async throws -> [String]? {
        guard let provider = try await provider(name), let issuer,
            issuer.hasSameBytes(as: provider.settings.issuer),
            let session = session.flatMap({ UpstreamSession(provider.id, sid: $0) }),
            case .success(let metadata) = await context.provider.upstreamDirectory.metadata(
                of: provider, now: context.now)
        else { return nil }
        let ended = try await context.store.upstreamProviders.endSessions(
            restingOn: session.hash, of: context.project, now: context.now)
        if let person = ended.first {
            try await context.provider.audit.record(
                AuditEventDraft(
                    "sign-out.upstream", in: context.project, facts: context.facts,
                    person: person))
        }
        return Set(
            [metadata.authorizationEndpoint, metadata.endSessionEndpoint]
                .compactMap { $0?.origin }
        ).sorted()
    }

    /// The enabled provider with this name. Plain OAuth 2 has no logout.
    private func provider(_ name: String) async throws -> UpstreamProvider? {
        let found = try await context.store.upstreamProviders.upstreamProvider(
            named: name, in: context.project)
        return found.flatMap { $0.isEnabled && $0.kind == .oidc ? $0 : nil }
    }

    private func refuse<Value>(_ reason: String) -> Result<Value, CeremonyRefusal> {
        .failure(UpstreamError.wrong(reason).stranger)
    }
}

extension UpstreamError {
    /// The refusal of an unauthenticated sender, before a signature was verified.
    fileprivate var stranger: CeremonyRefusal {
        var declined = declined
        declined.isStranger = true
        return declined
    }
}
