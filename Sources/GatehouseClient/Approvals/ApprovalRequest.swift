// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A request of a client that a person must approve or deny. Display all of it: the response is
/// signed over all of it.
public struct ApprovalRequest: Sendable, Hashable, Identifiable {
    /// The provider's name for it.
    public let id: String
    /// The person.
    public let profile: Profile
    /// `client_id` of who asks.
    public let clientID: String
    /// The display name of the client that sent the request.
    public let clientName: String
    /// The subject; empty if there is none. If another page displays it too, both texts are the
    /// same.
    public let message: String
    /// The exact text to sign; empty if there is none.
    public let transactionText: String
    /// The time of the request.
    public let createdAt: Date
    /// The expiry of the request.
    public let expiresAt: Date
    let nonce: String
}

extension ApprovalRequest {
    /// `nil` when a member is missing or of another kind.
    init?(_ value: JSONValue, of profile: Profile) {
        guard let id = value["id"]?.string, let clientID = value["client_id"]?.string,
            let clientName = value["client_name"]?.string,
            let message = value["message"]?.string,
            let transaction = value["transaction_text"]?.string,
            let nonce = value["nonce"]?.string,
            let createdAt = value["created_at"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
            let expiresAt = value["expires_at"]?.string.flatMap({ Timestamp(rfc3339: $0) })
        else { return nil }
        self.init(
            id: id, profile: profile, clientID: clientID, clientName: clientName,
            message: message, transactionText: transaction, createdAt: createdAt.date,
            expiresAt: expiresAt.date, nonce: nonce)
    }
}

/// The pending and later approval requests of a person. See ``Approvals/requests(for:)``.
public struct ApprovalRequests: AsyncSequence, Sendable {
    /// One request.
    public typealias Element = ApprovalRequest

    let approvals: Approvals
    let profile: Profile.ID

    /// Returns an iterator that fetches the pending requests at once.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            approvals: approvals, profile: profile,
            rings: approvals.dependencies.approvalBell.rings().makeAsyncIterator())
    }

    /// See ``ApprovalRequests``.
    public struct Iterator: AsyncIteratorProtocol {
        let approvals: Approvals
        let profile: Profile.ID
        var rings: AsyncStream<Void>.Iterator
        var waiting: [ApprovalRequest] = []
        var seen: Set<String> = []

        /// Returns the next request, and waits until one is pending.
        ///
        /// - Throws: ``IdentityError``, except if the provider is unreachable.
        public mutating func next() async throws -> ApprovalRequest? {
            while waiting.isEmpty {
                guard await rings.next(isolation: #isolation) != nil else { return nil }
                try await fetch()
            }
            return waiting.removeFirst()
        }

        private mutating func fetch() async throws {
            let pending: [ApprovalRequest]
            do { pending = try await approvals.pending(for: profile) } catch {
                guard error.isAboutTheWay else { throw error }
                return
            }
            waiting = pending.filter { !seen.contains($0.id) }
            seen = Set(pending.map(\.id))
        }
    }
}

/// Notifies the readers of approval requests to fetch them.
final class ApprovalBell: Sendable {
    private let readers = StreamReaders<Void>()

    /// Returns the notifications, the first one at once. Several that a reader has not received yet
    /// become one.
    func rings() -> AsyncStream<Void> { readers.add(telling: [()], keeping: .bufferingNewest(1)) }

    func ring() { readers.yield(()) }
}
