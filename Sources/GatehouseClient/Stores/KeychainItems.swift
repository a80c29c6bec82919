// SPDX-License-Identifier: Apache-2.0
#if canImport(Security)
    import Foundation
    import Security
    import Platform

    /// The generic passwords of one service in the data protection keychain, on this device alone
    /// and from its first unlock on.
    struct KeychainItems: Sendable {
        let service: String
        let accessGroup: String?

        func read(_ account: String) async throws -> [UInt8]? {
            try await BlockingCall.run {
                var query = query(account)
                query[kSecReturnData] = true
                query[kSecMatchLimit] = kSecMatchLimitOne
                var found: CFTypeRef?
                let status = SecItemCopyMatching(query as CFDictionary, &found)
                if status == errSecItemNotFound { return nil }
                try Self.check(status)
                guard let data = found as? Data else {
                    throw StoreError.damaged("the keychain gave something that is no data")
                }
                return Array(data)
            }
        }

        /// Replaces the item or adds one; of two who add at once the later one replaces.
        func write(_ bytes: [UInt8], _ account: String) async throws {
            try await BlockingCall.run {
                let content: [CFString: Any] = [kSecValueData: Data(bytes)]
                let query = query(account)
                var status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
                if status == errSecItemNotFound {
                    var item = query.merging(content) { $1 }
                    item[kSecAttrAccessible] =
                        kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                    status = SecItemAdd(item as CFDictionary, nil)
                }
                if status == errSecDuplicateItem {
                    status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
                }
                try Self.check(status)
            }
        }

        func remove(_ account: String) async throws {
            try await BlockingCall.run {
                let status = SecItemDelete(query(account) as CFDictionary)
                if status != errSecItemNotFound { try Self.check(status) }
            }
        }

        func accounts() async throws -> [String] {
            try await BlockingCall.run {
                var query = query(nil)
                query[kSecReturnAttributes] = true
                query[kSecMatchLimit] = kSecMatchLimitAll
                var found: CFTypeRef?
                let status = SecItemCopyMatching(query as CFDictionary, &found)
                if status == errSecItemNotFound { return [] }
                try Self.check(status)
                let items = found as? [[String: Any]] ?? []
                return items.compactMap { $0[kSecAttrAccount as String] as? String }
            }
        }

        private func query(_ account: String?) -> [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service,
                kSecUseDataProtectionKeychain: true, kSecAttrSynchronizable: false,
            ]
            query[kSecAttrAccount] = account
            query[kSecAttrAccessGroup] = accessGroup
            return query
        }

        /// A device that is locked has everything; nothing is missing because of it.
        private static func check(_ status: OSStatus) throws {
            switch status {
            case errSecSuccess: return
            case errSecInteractionNotAllowed, errSecNotAvailable:
                throw StoreError.locked("the keychain is locked: \(status)")
            case errSecDecode:
                throw StoreError.damaged("the keychain cannot read its item: \(status)")
            default:
                let text = SecCopyErrorMessageString(status, nil) as String? ?? "\(status)"
                throw StoreError.unavailable("the keychain failed: \(text)")
            }
        }
    }
#endif
