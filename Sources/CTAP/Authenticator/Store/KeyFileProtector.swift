// SPDX-License-Identifier: Apache-2.0
package import Crypto
import Platform
package import Primitives

/// A key in a separate file, 32 bytes, mode 0600, which can be on another disk than the store. The
/// description is an identifier of the key, so that a wrong file is distinguished from a damaged
/// store.
package struct KeyFileProtector: KeyProtector {
    private let path: String

    package init(path: String) { self.path = path }

    package func create(
        random: any RandomSource
    ) throws(AuthenticatorStoreError) -> (key: SymmetricKey, description: [UInt8]) {
        let key = StoreFile.exists(path) ? try read() : try made(random)
        return (key, Self.name(of: key))
    }

    package func open(_ description: [UInt8]) throws(AuthenticatorStoreError) -> SymmetricKey {
        let key = try read()
        guard ConstantTime.equal(description, Self.name(of: key)) else { throw .locked }
        return key
    }

    private func made(_ random: any RandomSource) throws(AuthenticatorStoreError) -> SymmetricKey {
        var drawn = random.bytes(32)
        let bytes = Secret(wiping: &drawn).reveal()
        defer { Secret.overwrite(bytes) }
        try StoreFile.write(bytes, to: path)
        return SymmetricKey(data: bytes)
    }

    private func read() throws(AuthenticatorStoreError) -> SymmetricKey {
        let bytes = try StoreFile.read(path, atMost: 64)
        defer { Secret.overwrite(bytes) }
        guard let status = try? FileStatus(path), status.isForOwnerOnly else {
            throw .exposedKeyFile
        }
        guard bytes.count == 32 else { throw .damaged }
        return SymmetricKey(data: bytes)
    }

    private static func name(of key: SymmetricKey) -> [UInt8] {
        [2]
            + HMAC<SHA256>.authenticationCode(
                for: Array("gatehouse key file".utf8), using: key
            ).prefix(16)
    }
}
