// SPDX-License-Identifier: Apache-2.0
#if canImport(CryptoKit) && canImport(Security)
    import CryptoKit
    import Foundation
    import Platform

    /// Keys that the Secure Enclave makes and never gives away. The keychain holds them in a form
    /// that this enclave alone can use.
    public struct SecureEnclaveKeyStore: KeyStore {
        private let items: KeychainItems

        /// - Parameters:
        ///   - service: Another one than that of the records.
        ///   - accessGroup: The group of an app and its extensions.
        public init(service: String, accessGroup: String? = nil) {
            items = KeychainItems(service: service, accessGroup: accessGroup)
        }

        /// Whether this device has one: simulators and older Macs do not.
        public static var isAvailable: Bool { SecureEnclave.isAvailable }

        /// See ``KeyStore/makeKey(_:)``.
        public func makeKey(_ name: RecordName) async throws -> any StoredKey {
            let key = try await BlockingCall.run {
                try EnclaveSigningKey(
                    signing: SecureEnclave.P256.Signing.PrivateKey(),
                    agreement: SecureEnclave.P256.KeyAgreement.PrivateKey())
            }
            try await items.write(key.stored, name.rawValue)
            return key
        }

        /// See ``KeyStore/key(_:)``.
        public func key(_ name: RecordName) async throws -> (any StoredKey)? {
            guard let stored = try await items.read(name.rawValue) else { return nil }
            return try await BlockingCall.run { try EnclaveSigningKey(stored: stored) }
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

    /// A key that signs, and another that opens what was sealed to it, both in the enclave.
    ///
    /// Sealed is a fresh point, 64 bytes, and AES-256-GCM under what HKDF-SHA256 makes of the
    /// agreement with it. Sealing needs no enclave, opening does.
    private struct EnclaveSigningKey: StoredKey {
        private let signing: Data
        private let agreement: Data
        private let sealingPoint: Data
        let publicKey: P256PublicKey

        init(
            signing: SecureEnclave.P256.Signing.PrivateKey,
            agreement: SecureEnclave.P256.KeyAgreement.PrivateKey
        ) throws {
            guard
                let publicKey = P256PublicKey(
                    rawRepresentation: Array(signing.publicKey.rawRepresentation))
            else { throw StoreError.damaged("not a key of P-256") }
            self.publicKey = publicKey
            self.signing = signing.dataRepresentation
            self.agreement = agreement.dataRepresentation
            sealingPoint = agreement.publicKey.rawRepresentation
        }

        /// Each form behind its length in two bytes, most significant first.
        var stored: [UInt8] { Self.sized(signing) + Self.sized(agreement) }

        init(stored: [UInt8]) throws {
            var rest = stored[...]
            guard let signing = Self.part(&rest), let agreement = Self.part(&rest), rest.isEmpty
            else { throw StoreError.damaged("not a key of the Secure Enclave") }
            do {
                try self.init(
                    signing: .init(dataRepresentation: signing),
                    agreement: .init(dataRepresentation: agreement))
            } catch is CryptoKitError {
                throw StoreError.damaged("another Secure Enclave has made the key")
            }
        }

        private static func sized(_ bytes: Data) -> [UInt8] {
            [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)]
                + bytes
        }

        private static func part(_ rest: inout ArraySlice<UInt8>) -> Data? {
            guard rest.count >= 2 else { return nil }
            let size = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(2)
            guard rest.count >= size else { return nil }
            defer { rest = rest.dropFirst(size) }
            return Data(rest.prefix(size))
        }

        var isHardware: Bool { true }

        func signature(over message: [UInt8]) async throws -> [UInt8] {
            try await BlockingCall.run {
                let key = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: signing)
                return Array(try key.signature(for: SHA256.hash(data: message)).rawRepresentation)
            }
        }

        func seal(_ plaintext: [UInt8], context: [UInt8]) async throws -> [UInt8] {
            let once = P256.KeyAgreement.PrivateKey()
            let point = once.publicKey.rawRepresentation
            let shared = try once.sharedSecretFromKeyAgreement(
                with: P256.KeyAgreement.PublicKey(rawRepresentation: sealingPoint))
            let box = try AES.GCM.seal(
                plaintext, using: Self.key(shared, point), authenticating: context)
            guard let combined = box.combined else {
                throw StoreError.unavailable("sealing made nothing")
            }
            return Array(point + combined)
        }

        func open(_ sealed: [UInt8], context: [UInt8]) async throws -> [UInt8] {
            guard sealed.count > 64 else { throw StoreError.damaged("cut short") }
            let point = Data(sealed.prefix(64))
            return try await BlockingCall.run {
                let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(
                    dataRepresentation: agreement)
                guard let once = try? P256.KeyAgreement.PublicKey(rawRepresentation: point),
                    let shared = try? key.sharedSecretFromKeyAgreement(with: once),
                    let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst(64)),
                    let plaintext = try? AES.GCM.open(
                        box, using: Self.key(shared, point), authenticating: context)
                else { throw StoreError.damaged("sealed with another key, or changed since") }
                return Array(plaintext)
            }
        }

        private static func key(_ shared: SharedSecret, _ point: Data) -> SymmetricKey {
            shared.hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: point, sharedInfo: Data("gatehouse-client/1/seal".utf8),
                outputByteCount: 32)
        }
    }
#endif
