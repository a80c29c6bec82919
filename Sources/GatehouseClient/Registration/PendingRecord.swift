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
    /// The issuer of the provider; `nil` in older records.
    var issuer: String?
    var method: String
    var key: RecordName
    /// Whether the provider may have registered it: something was sent, and no refusal came.
    var isUncertain: Bool
    /// The state of a registration in a browser; `nil` for other evidence.
    var browser: BrowserTransaction?

    static let prefix = "pending."

    static func name(_ id: UUID) -> RecordName {
        RecordName("pending", id.uuidString.lowercased())
    }

    /// Returns one of 256 lock names: a file store does not need a lock for each registration, and
    /// two registrations rarely share one.
    static func lock(_ id: UUID) -> RecordName {
        RecordName("registration", String(id.uuidString.lowercased().prefix(2)))
    }

    static func id(_ name: RecordName) -> UUID? {
        guard name.rawValue.hasPrefix(prefix) else { return nil }
        return UUID(uuidString: String(name.rawValue.dropFirst(prefix.count)))
    }

    /// The identifier for the PIN secret of the new profile until the registration is complete, so
    /// that an earlier registration of the same person stays intact.
    var profileID: Profile.ID {
        Profile.ID(rawValue: String(key.rawValue.dropFirst("key.".count)))
    }

    init(issuer: String?, method: String, key: RecordName, browser: BrowserTransaction? = nil) {
        self.issuer = issuer
        self.method = method
        self.key = key
        self.browser = browser
        isUncertain = false
    }

    /// Whether the registration can be resumed. While a browser is open, its response is required.
    var isResumable: Bool { browser == nil || isUncertain || browser?.token != nil }

    func isAt(_ provider: String) -> Bool { issuer == nil || issuer == provider }

    static func read(_ name: RecordName, in profiles: ProfileStore) async throws -> PendingRecord? {
        guard let bytes = try await profiles.store.read(name) else { return nil }
        guard let pending = PendingRecord(json: bytes) else {
            throw StoreError.damaged("\(name) is no registration")
        }
        return pending
    }

    init?(json bytes: [UInt8]) {
        guard let object = try? JSONParser.parseObject(bytes, maximumBytes: 65_536),
            let method = object["method"]?.string,
            let key = object["key"]?.string.flatMap({ RecordName(rawValue: $0) }),
            let isUncertain = object["uncertain"]?.bool
        else { return nil }
        self.init(
            issuer: object["issuer"]?.string, method: method, key: key,
            browser: object["browser"]?.object.flatMap(BrowserTransaction.init))
        self.isUncertain = isUncertain
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.member("issuer", ifPresent: issuer)
        writer.member("method", method)
        writer.member("key", key.rawValue)
        writer.member("uncertain", isUncertain)
        if let browser { writer.member("browser", .object(browser.object)) }
        return writer.finish()
    }
}
