// SPDX-License-Identifier: Apache-2.0
package import Crypto
package import Primitives

/// A vault in a file of its own, 32 bytes, mode 0600, which may lie on another disk than the
/// store. The description is a name of the key, so that a wrong file is told from a damaged store.
package struct KeyFileVault: KeyVault {
    private let path: String

    package init(path: String) { self.path = path }

    package func create(
        random: any RandomSource
    ) throws(AuthenticatorStoreError) -> (key: SymmetricKey, description: [UInt8]) {
        let bytes: [UInt8]
        if DurableFile.exists(path) {
            bytes = try read()
        } else {
            bytes = random.bytes(32)
            try DurableFile.write(bytes, to: path)
        }
        return (SymmetricKey(data: bytes), Self.name(of: bytes))
    }

    package func open(_ description: [UInt8]) throws(AuthenticatorStoreError) -> SymmetricKey {
        let bytes = try read()
        guard ConstantTime.equal(description, Self.name(of: bytes)) else { throw .locked }
        return SymmetricKey(data: bytes)
    }

    private func read() throws(AuthenticatorStoreError) -> [UInt8] {
        let bytes = try DurableFile.read(path, atMost: 64)
        guard !FileMode.isExposed(path) else { throw .exposedKeyFile }
        guard bytes.count == 32 else { throw .damaged }
        return bytes
    }

    private static func name(of key: [UInt8]) -> [UInt8] {
        [2]
            + HMAC<SHA256>.authenticationCode(
                for: Array("gatehouse key file".utf8), using: SymmetricKey(data: key)
            ).prefix(16)
    }
}
