// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// The one-time link of the first start. The person who opens it registers as an administrator.
package struct SetUpLink: Sendable {
    let provider: Provider
    let project: Identifier<Project>
    let now: Timestamp

    /// The operator may read the log hours later.
    package static let lifetime = TimeSpan.hours(24)

    init(_ context: CeremonyContext) {
        self.init(context.provider, project: context.project, now: context.now)
    }

    package init(_ provider: Provider, project: Identifier<Project>, now: Timestamp) {
        self.provider = provider
        self.project = project
        self.now = now
    }

    /// Issues a link for the log of the first start. Earlier links stay valid until their use or
    /// expiry.
    package func issue(for tenant: Tenant) async throws -> String {
        let token = provider.newSecret()
        try await provider.store.challenges.issue(
            Challenge(
                hash: hash(token), purpose: .setUp, project: project, payload: "{}",
                expiresAt: now + Self.lifetime))
        return "\(tenant.issuer)/setup?token=\(token)"
    }

    package func isActive(_ token: String) async throws -> Bool {
        try await activeChallenge(token) != nil
    }

    /// The challenge that the registration consumes; `nil` if the link is expired or consumed.
    func activeChallenge(_ token: String) async throws -> Challenge? {
        try await provider.store.challenges.peek(
            hash: hash(token), purpose: .setUp, in: project, now: now)
    }

    private func hash(_ token: String) -> [UInt8] {
        provider.secrets.hash(token.utf8, for: .challenge)
    }
}
