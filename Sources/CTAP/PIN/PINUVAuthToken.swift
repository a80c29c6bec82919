// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives

/// A `pinUvAuthToken` (CTAP 2.1 section 6.5.2.1): a client receives it after user verification and
/// authenticates requests with it. 32 bytes, overwritten on release.
package struct PINUVAuthToken: Sendable {
    /// Length in bytes. Protocol one also knew 16; keys of CTAP 2.0 send them.
    package static let length = 32

    package let pinProtocol: PINProtocol
    private let key: SymmetricKey

    /// A fresh token, on the key's side.
    package init(_ pinProtocol: PINProtocol, random: some RandomSource) {
        var bytes = random.bytes(Self.length)
        self.pinProtocol = pinProtocol
        key = Secret(wiping: &bytes).withBytes { SymmetricKey(data: $0) }
    }

    /// A token that the key sent, decrypted.
    package init(
        _ pinProtocol: PINProtocol, decrypted token: Secret
    ) throws(PINProtocolError) {
        key = try token.withBytes { (bytes) throws(PINProtocolError) in
            guard bytes.count == 32 || (pinProtocol == .one && bytes.count == 16) else {
                throw .invalidLength
            }
            return SymmetricKey(data: bytes)
        }
        self.pinProtocol = pinProtocol
    }

    /// The token encrypted for the client that shares `secret`.
    package func encrypted(
        with secret: PINSharedSecret, random: some RandomSource
    ) throws(PINProtocolError) -> [UInt8] {
        try secret.encrypt(key.withUnsafeBytes { Secret($0) }, random: random)
    }

    /// The `pinUvAuthParam` of a message.
    package func authenticate(_ message: some Collection<UInt8>) -> [UInt8] {
        pinProtocol.authenticate(message, key: key)
    }

    /// Whether `parameter` is the message's, in constant time.
    package func verify(
        _ message: some Collection<UInt8>, _ parameter: some Collection<UInt8>
    ) -> Bool {
        ConstantTime.equal(authenticate(message), parameter)
    }
}
