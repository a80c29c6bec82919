// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something that somebody else asks a person to approve. Show all of it: it is what is signed.
public struct ApprovalRequest: Sendable, Hashable, Identifiable {
    /// The provider's name for it.
    public let id: String
    /// Whom it is asked of.
    public let profile: Profile
    /// `client_id` of who asks.
    public let clientID: String
    /// What people call who asks.
    public let clientName: String
    /// What it is about; empty for none. Where it is shown elsewhere too, both are the same.
    public let message: String
    /// What is to be signed, word by word; empty for none.
    public let transactionText: String
    /// Since when it waits.
    public let createdAt: Date
    /// Until when.
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

/// What is asked of a person, from now on. See ``Approvals/requests(for:)``.
public struct ApprovalRequests: AsyncSequence, Sendable {
    /// What readers get.
    public typealias Element = ApprovalRequest

    let approvals: Approvals
    let profile: Profile.ID

    /// One reader.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            approvals: approvals, profile: profile,
            rings: approvals.client.system.approvalBell.rings().makeAsyncIterator())
    }

    /// See ``ApprovalRequests``.
    public struct Iterator: AsyncIteratorProtocol {
        let approvals: Approvals
        let profile: Profile.ID
        var rings: AsyncStream<Void>.Iterator
        var waiting: [ApprovalRequest] = []
        var seen: Set<String> = []

        /// The next request; waits until there is one.
        ///
        /// - Throws: ``IdentityError``; not while the provider cannot be reached.
        public mutating func next() async throws -> ApprovalRequest? {
            while waiting.isEmpty {
                guard await rings.next(isolation: #isolation) != nil else { return nil }
                try await look()
            }
            return waiting.removeFirst()
        }

        private mutating func look() async throws {
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

/// Tells whoever reads what is pending to look again.
final class ApprovalBell: Sendable {
    private let readers = StreamReaders<Void>()

    /// Rings at once for the first time. However often it rings while nobody listens, one look
    /// will do.
    func rings() -> AsyncStream<Void> { readers.add(telling: [()], keeping: .bufferingNewest(1)) }

    func ring() { readers.tell(()) }
}
