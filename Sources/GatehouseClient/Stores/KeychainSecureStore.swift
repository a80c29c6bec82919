// SPDX-License-Identifier: Apache-2.0
#if canImport(Security)
    import Platform
    import Primitives
    import UserClient

    /// Records in the keychain of an Apple system, on this device alone and from its first unlock
    /// on. Before that, reading throws ``StoreError/locked(_:)``.
    ///
    /// Items stay if the app is deleted. An app that must start empty after it was installed again
    /// saves a marker in its container, and calls ``IdentityClient/eraseLocalState()`` if the
    /// marker is missing.
    public struct KeychainSecureStore: SecureStore {
        private let items: KeychainItems
        private let locks: OwnerOnlyDirectory

        /// - Parameters:
        ///   - service: The namespace: `com.example.notes.identity`.
        ///   - accessGroup: The group of an app and its extensions.
        ///   - lockDirectory: Absolute; in the container of the app group when there is one. It
        ///     holds empty files.
        public init(service: String, accessGroup: String? = nil, lockDirectory: String) {
            items = KeychainItems(service: service, accessGroup: accessGroup)
            locks = OwnerOnlyDirectory(lockDirectory)
        }

        /// See ``SecureStore/read(_:)``.
        public func read(_ name: RecordName) async throws -> [UInt8]? {
            try await items.read(name.rawValue)
        }

        /// See ``SecureStore/write(_:to:)``.
        public func write(_ bytes: [UInt8], to name: RecordName) async throws {
            try await items.write(bytes, name.rawValue)
        }

        /// See ``SecureStore/remove(_:)``.
        public func remove(_ name: RecordName) async throws {
            try await items.remove(name.rawValue)
        }

        /// See ``SecureStore/names()``.
        public func names() async throws -> [RecordName] {
            try await items.accounts().compactMap { RecordName(rawValue: $0) }
        }

        /// See ``SecureStore/withLock(_:_:)``.
        public func withLock<Value: Sendable>(
            _ name: RecordName, _ body: @Sendable () async throws -> Value
        ) async throws -> Value {
            let lock: FileLock
            do {
                try locks.make()
                lock = try await locks.lock(name.rawValue + ".lock")
            } catch UserClientError.file(let text) { throw StoreError.unavailable(text) }
            let value = try await body()
            _ = consume lock
            return value
        }

        /// See ``SecureStore/withLockIfFree(_:_:)``.
        public func withLockIfFree<Value: Sendable>(
            _ name: RecordName, _ body: @Sendable () async throws -> Value
        ) async throws -> Value? {
            let lock: FileLock?
            do {
                try locks.make()
                lock = try locks.lockIfFree(name.rawValue + ".lock")
            } catch UserClientError.file(let text) { throw StoreError.unavailable(text) }
            guard let lock else { return nil }
            let value = try await body()
            _ = consume lock
            return value
        }
    }

    /// Keys in the keychain: for simulators and for Macs without a Secure Enclave, and otherwise
    /// ``SecureEnclaveKeyStore`` is stronger.
    public struct KeychainKeyStore: KeyStore {
        private let items: KeychainItems
        private let random = SystemRandomSource()

        /// - Parameters:
        ///   - service: Another one than that of the records.
        ///   - accessGroup: The group of an app and its extensions.
        public init(service: String, accessGroup: String? = nil) {
            items = KeychainItems(service: service, accessGroup: accessGroup)
        }

        /// See ``KeyStore/makeKey(_:)``.
        public func makeKey(_ name: RecordName) async throws -> any StoredKey {
            let key = try SoftwareSigningKey(random: random)
            try await items.write(key.stored, name.rawValue)
            return key
        }

        /// See ``KeyStore/key(_:)``.
        public func key(_ name: RecordName) async throws -> (any StoredKey)? {
            try await items.read(name.rawValue).map { try SoftwareSigningKey(stored: $0) }
        }

        /// See ``KeyStore/removeKey(_:)``.
        public func removeKey(_ name: RecordName) async throws {
            try await items.remove(name.rawValue)
        }

        /// See ``KeyStore/keyNames()``.
        public func keyNames() async throws -> [RecordName] {
            try await items.accounts().compactMap { RecordName(rawValue: $0) }
        }
    }
#endif
