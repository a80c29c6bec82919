// SPDX-License-Identifier: Apache-2.0
import JOSE

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A registration that was begun: written before anything is sent, and removed when it is known to
/// be done, or known not to be.
struct PendingRecord: Sendable, Equatable {
    /// Whose answer is waited for; `nil` in records of before.
    var issuer: String?
    var method: String
    var key: RecordName
    /// Whether the provider may have registered it: something was sent, and no refusal came.
    var isUncertain: Bool

    static let prefix = "pending."

    static func name(_ id: UUID) -> RecordName {
        RecordName("pending", id.uuidString.lowercased())
    }

    /// One of 256, so that a file store has no lock more for each registration there ever was, and
    /// hardly a registration waits for another one's person.
    static func lock(_ id: UUID) -> RecordName {
        RecordName("registration", String(id.uuidString.lowercased().prefix(2)))
    }

    static func id(_ name: RecordName) -> UUID? {
        guard name.rawValue.hasPrefix(prefix) else { return nil }
        return UUID(uuidString: String(name.rawValue.dropFirst(prefix.count)))
    }

    /// While its PIN is being set up, the new profile's secret is kept under a name of its own, so
    /// that an earlier registration of the same person stays whole until this one is.
    var profileID: Profile.ID {
        Profile.ID(rawValue: String(key.rawValue.dropFirst("key.".count)))
    }

    init(issuer: String?, method: String, key: RecordName) {
        self.issuer = issuer
        self.method = method
        self.key = key
        isUncertain = false
    }

    func isAt(_ provider: String) -> Bool { issuer == nil || issuer == provider }

    static func read(_ name: RecordName, in book: ProfileStore) async throws -> PendingRecord? {
        guard let bytes = try await book.store.read(name) else { return nil }
        guard let pending = PendingRecord(json: bytes) else {
            throw StoreError.damaged("\(name) is no registration")
        }
        return pending
    }

    init?(json bytes: [UInt8]) {
        guard let object = try? JSONParser.parseObject(bytes, maximumBytes: 4096),
            let method = object["method"]?.string,
            let key = object["key"]?.string.flatMap({ RecordName(rawValue: $0) }),
            let isUncertain = object["uncertain"]?.bool
        else { return nil }
        self.init(issuer: object["issuer"]?.string, method: method, key: key)
        self.isUncertain = isUncertain
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.member("issuer", ifPresent: issuer)
        writer.member("method", method)
        writer.member("key", key.rawValue)
        writer.member("uncertain", isUncertain)
        return writer.finish()
    }
}
