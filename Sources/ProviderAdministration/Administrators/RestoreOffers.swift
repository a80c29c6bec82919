// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
import ProviderCore
import Storage

/// The removed or replaced resources of a project that an administrator can restore.
///
/// The store holds a description of the resource under a hash of a random handle and of the
/// administrator, so that the handle is useless to another person.
package struct RestoreOffers: Sendable {
    package static let lifetime = TimeSpan.minutes(10)

    private let scope: AdministrativeScope

    package init(_ scope: AdministrativeScope) { self.scope = scope }

    /// A stored resource.
    package struct Offer: Sendable {
        package let handle: String
        /// The description of the resource.
        package var text: String { challenge.payload }
        /// Identifies the offer without the handle.
        package var hash: [UInt8] { challenge.hash }
        package var expiresAt: Timestamp { challenge.expiresAt }
        fileprivate let challenge: Challenge
    }

    /// Stores the description of a resource and returns the handle of the offer.
    package func save(_ text: String) async throws -> String {
        let handle = Base64URL.encode(scope.provider.random.bytes(32))
        try await scope.store.challenges.issue(
            Challenge(
                hash: hash(handle), purpose: .removal, project: scope.project.id,
                payload: text, expiresAt: scope.now + Self.lifetime))
        return handle
    }

    /// The active offer with this handle, or `nil`.
    package func offer(_ handle: String) async throws -> Offer? {
        try await scope.store.challenges.peek(
            hash: hash(handle), purpose: .removal, in: scope.project.id, now: scope.now
        ).map { Offer(handle: handle, challenge: $0) }
    }

    package enum Outcome: Sendable, Equatable {
        case restored
        /// The offer is expired or consumed.
        case unknown
        /// The resource was not created. The offer stays active.
        case refused
    }

    /// Consumes an offer, creates the resource, and records it.
    ///
    /// - Parameters:
    ///   - operation: the operation that removed the resource.
    ///   - name: the name of the resource.
    ///   - make: creates the resource. Returns whether it was created.
    package func restore(
        _ offer: Offer, of operation: AdministrativeOperation, name: String,
        _ make: () async throws -> Bool
    ) async throws -> Outcome {
        let used = try await scope.store.challenges.consumeChallenge(
            hash: offer.hash, purpose: .removal, in: scope.project.id, now: scope.now)
        guard used != nil else { return .unknown }
        guard try await make() else {
            try await scope.store.challenges.issue(offer.challenge)
            return .refused
        }
        try await scope.provider.audit.record(
            scope.draft(
                "admin.removal.undo",
                ["call": .string(operation.rawValue), "name": .string(name)]))
        return .restored
    }

    private func hash(_ handle: String) -> [UInt8] {
        let words = ["removal", scope.facts.administrator?.description ?? "", handle]
        return scope.provider.secrets.hash(
            Array(words.joined(separator: "\u{0}").utf8), for: .challenge)
    }
}
