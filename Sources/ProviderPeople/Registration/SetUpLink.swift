// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import ProviderCore
package import Storage

/// The one-time link of the first start. The person who opens it registers as an administrator.
///
/// All links that were issued before an owner could sign in are consumed when the first owner can. A
/// link that was issued later is for a further owner, and independent of the other links.
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

    /// The payload of links for the first owner. Links with the same payload are consumed together.
    private static let forFirstOwner = "{}"

    /// Issues a link. Earlier links stay valid until their use or expiry, or until the first owner
    /// can sign in.
    package func issue(for tenant: Tenant) async throws -> String {
        let token = provider.newSecret()
        try await provider.store.challenges.issue(
            Challenge(
                hash: hash(token), purpose: .setUp, project: project,
                payload: try await hasOwner() ? furtherOwner() : Self.forFirstOwner,
                expiresAt: now + Self.lifetime))
        return "\(tenant.issuer)/setup?token=\(token)"
    }

    package func isActive(_ token: String) async throws -> Bool {
        try await activeChallenge(token) != nil
    }

    /// The challenge that the registration consumes; `nil` if the link is expired or consumed. A
    /// link for the first owner is consumed if an owner can sign in, because a state file or
    /// another administrator may have appointed that owner.
    func activeChallenge(_ token: String) async throws -> Challenge? {
        let link = try await provider.store.challenges.peek(
            hash: hash(token), purpose: .setUp, in: project, now: now)
        guard let link, link.payload == Self.forFirstOwner, try await hasOwner() else {
            return link
        }
        _ = try await provider.store.challenges.consumeChallenge(
            hash: link.hash, purpose: .setUp, in: project, now: now)
        return nil
    }

    /// Whether an owner can sign in.
    package func hasOwner() async throws -> Bool {
        var last: Identifier<Administrator>?
        repeat {
            let page = try await provider.store.administrators.administrators(
                after: last, limit: Self.page)
            for listed in page where listed.administrator.role == .owner {
                if try await canSignIn(listed.administrator.person) { return true }
            }
            last = page.count == Self.page ? page.last?.administrator.id : nil
        } while last != nil
        return false
    }

    private static let page = 100

    private func canSignIn(_ person: Identifier<Person>) async throws -> Bool {
        guard try await provider.store.people.person(person)?.disabled == false else {
            return false
        }
        return try await !provider.store.credentials.credentials(of: person).isEmpty
    }

    /// A payload that no other link has.
    private func furtherOwner() -> String {
        (["id": .string(Base64URL.encode(provider.random.bytes(16)))] as JSONValue).text
    }

    private func hash(_ token: String) -> [UInt8] {
        provider.secrets.hash(token.utf8, for: .challenge)
    }
}
