// SPDX-License-Identifier: Apache-2.0
import Crypto
package import JOSE

/// The key of one profile on one device, which signs its requests: P-256 in a Secure Enclave, a key
/// store or a TPM. The protocol for every kind of hardware.
package protocol PINDeviceKey: Sendable {
    var publicKey: PublicJWK { get }

    /// Returns the JWS signature over `input` with ``PINDeviceAlgorithm/pinned(for:)``: for ES256
    /// the two numbers of 32 bytes, not their DER form.
    func signature(over input: [UInt8]) async throws -> [UInt8]
}

/// A device key in memory, for devices without key hardware, and for tests.
package struct SoftwareDeviceKey: PINDeviceKey {
    private let key: P256.Signing.PrivateKey
    package let publicKey: PublicJWK

    package init() throws(JOSEError) {
        key = P256.Signing.PrivateKey()
        let point = Array(key.publicKey.rawRepresentation)
        publicKey = try PublicJWK(
            .ellipticCurve(.p256, x: Array(point.prefix(32)), y: Array(point.suffix(32))),
            parameters: KeyParameters())
    }

    package func signature(over input: [UInt8]) async throws -> [UInt8] {
        Array(try key.signature(for: SHA256.hash(data: input)).rawRepresentation)
    }
}
