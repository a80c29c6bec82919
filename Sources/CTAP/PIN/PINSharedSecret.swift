// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
package import Primitives

/// The shared secret of a client and a key after key agreement; `SymmetricKey` overwrites it on
/// release.
package struct PINSharedSecret: Sendable {
    package let pinProtocol: PINProtocol
    private let encryptionKey: SymmetricKey
    private let authenticationKey: SymmetricKey

    /// `kdf(Z)` of CTAP 2.1 sections 6.5.6 and 6.5.7.
    init(_ secret: SharedSecret, _ pinProtocol: PINProtocol) {
        self.pinProtocol = pinProtocol
        switch pinProtocol {
        case .one:
            let digest = secret.withUnsafeBytes { SHA256.hash(data: $0) }
            encryptionKey = SymmetricKey(data: digest)
            authenticationKey = encryptionKey
        case .two:
            let salt = [UInt8](repeating: 0, count: 32)
            func derived(_ info: String) -> SymmetricKey {
                secret.hkdfDerivedSymmetricKey(
                    using: SHA256.self, salt: salt, sharedInfo: Array(info.utf8),
                    outputByteCount: 32)
            }
            encryptionKey = derived("CTAP2 AES key")
            authenticationKey = derived("CTAP2 HMAC key")
        }
    }

    /// The ciphertext of whole blocks of 16 bytes (`encrypt`).
    package func encrypt(
        _ plaintext: Secret, random: some RandomSource
    ) throws(PINProtocolError) -> [UInt8] {
        try plaintext.withBytes { (bytes) throws(PINProtocolError) in
            guard bytes.count.isMultiple(of: 16) else { throw .invalidLength }
            let iv = pinProtocol == .one ? Self.zeros : random.bytes(16)
            do {
                let ciphertext = try AES._CBC.encrypt(
                    bytes, using: encryptionKey, iv: AES._CBC.IV(ivBytes: iv), noPadding: true)
                return pinProtocol == .one ? Array(ciphertext) : iv + Array(ciphertext)
            } catch { throw .invalidLength }
        }
    }

    /// The plaintext of what ``encrypt(_:random:)`` made (`decrypt`). There is no check inside:
    /// authenticate the ciphertext first.
    package func decrypt(_ ciphertext: some Collection<UInt8>) throws(PINProtocolError) -> Secret {
        let overhead = pinProtocol.encryptionOverhead
        guard ciphertext.count >= overhead, ciphertext.count.isMultiple(of: 16) else {
            throw .invalidLength
        }
        let iv = overhead == 0 ? Self.zeros : Array(ciphertext.prefix(16))
        let blocks = Array(ciphertext.dropFirst(overhead))
        guard !blocks.isEmpty else { return Secret([UInt8]()) }
        do {
            var plaintext = try AES._CBC.decrypt(
                blocks, using: encryptionKey, iv: AES._CBC.IV(ivBytes: iv), noPadding: true)
            return Secret(wiping: &plaintext)
        } catch { throw .invalidLength }
    }

    private static let zeros = [UInt8](repeating: 0, count: 16)

    /// The authentication of a message under this secret (`authenticate`).
    package func authenticate(_ message: some Collection<UInt8>) -> [UInt8] {
        pinProtocol.authenticate(message, key: authenticationKey)
    }

    /// Whether the authentication is right, in constant time (`verify`).
    package func verify(
        _ message: some Collection<UInt8>, _ authentication: some Collection<UInt8>
    ) -> Bool {
        ConstantTime.equal(authenticate(message), authentication)
    }
}

extension PINProtocol {
    /// HMAC-SHA-256, cut to the protocol's length.
    func authenticate(_ message: some Collection<UInt8>, key: SymmetricKey) -> [UInt8] {
        let code = HMAC<SHA256>.authenticationCode(for: Array(message), using: key)
        return Array(code.prefix(authenticationLength))
    }
}
