// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import Storage

/// Signing out that begins at an upstream provider: what rests on its word here ends, with
/// everything that was granted from it.
package struct UpstreamLogout: Sendable {
    private let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// Where the provider says so, in the back channel with POST and in the front channel with GET.
    package static func address(_ name: String, of tenant: Tenant) -> String {
        "\(tenant.issuer)\(path(name))"
    }

    package static func path(_ name: String) -> String { "/sign-out/by/\(name)" }

    // MARK: Back channel

    /// OpenID Connect Back-Channel Logout 1.0 section 2.5: from provider to provider, with a token
    /// that counts once. Whom nobody knows here is signed out already.
    package func run(
        _ token: String, from name: String
    ) async throws -> Result<Void, Refusal> {
        let outcome = try await end(token, name)
        return try await context.settle("sign-out.upstream", outcome, person: \.first).map { _ in }
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
                try await context.store.markUsed(
                    verified.use.mark, expiresAt: verified.use.expiresAt)
            else { return refuse("the logout token was used before") }
            return .success(try await end(verified, provider))
        }
    }

    /// By the provider's session where it names one, everywhere where it names the person alone.
    /// Sessions that began without a name of theirs end in both cases: one of them may be meant.
    private func end(
        _ token: VerifiedLogoutToken, _ provider: UpstreamProvider
    ) async throws -> [Identifier<Person>] {
        var named: [Identifier<Person>] = []
        if let session = token.session {
            named = try await context.store.endSessions(
                restingOn: session.hash, of: context.project, now: context.now)
        }
        guard let subject = token.subject,
            let link = try await context.store.credential(
                externalID: provider.identity(of: subject).externalID, kind: .federatedIdentity,
                in: context.project)
        else { return named }
        let ended = try await context.store.endSessions(
            vouchedBy: link.id, of: link.person, unnamedOnly: token.session != nil,
            now: context.now)
        return ended > 0 ? [link.person] : named
    }

    // MARK: Front channel

    /// OpenID Connect Front-Channel Logout 1.0 section 3: the provider's page holds ours in a frame,
    /// where browsers send none of our cookies. So the provider's name of its session counts, which
    /// nobody else was told, and not the browser.
    ///
    /// - Returns: the origins of the provider, whose pages may hold the answer; `nil` when nothing
    ///   is signed out so.
    package func run(
        issuer: String?, session: String?, from name: String
    ) async throws -> [String]? {
        guard let provider = try await provider(name), let issuer,
            issuer.hasSameBytes(as: provider.settings.issuer),
            let session = session.flatMap({ UpstreamSession(provider.id, sid: $0) }),
            case .success(let metadata) = await context.provider.upstreamDirectory.metadata(
                of: provider, now: context.now)
        else { return nil }
        let ended = try await context.store.endSessions(
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

    /// Of plain OAuth 2 nobody signs out so: it has no word for it.
    private func provider(_ name: String) async throws -> UpstreamProvider? {
        let found = try await context.store.upstreamProvider(named: name, in: context.project)
        return found.flatMap { $0.isEnabled && $0.kind == .oidc ? $0 : nil }
    }

    private func refuse<Value>(_ reason: String) -> Result<Value, CeremonyRefusal> {
        .failure(UpstreamError.wrong(reason).stranger)
    }
}

extension UpstreamError {
    /// Nobody whom we know has signed anything so far.
    fileprivate var stranger: CeremonyRefusal {
        var declined = declined
        declined.isStranger = true
        return declined
    }
}
