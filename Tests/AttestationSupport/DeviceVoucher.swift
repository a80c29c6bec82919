// SPDX-License-Identifier: Apache-2.0
package import Crypto
import SwiftASN1
import X509

/// The fake attesters of device keys: Apple's authority for managed devices, and a TPM with an
/// attestation key.
package struct DeviceVoucher {
    package let makers: AttestationAuthority
    package let attestationKey: P256.Signing.PrivateKey

    package init() throws {
        makers = try AttestationAuthority()
        attestationKey = P256.Signing.PrivateKey()
    }

    package var root: [UInt8] { get throws { try makers.root.der } }
    /// Of the attestation key: DER of `SubjectPublicKeyInfo`.
    package var knownKey: [UInt8] { Array(attestationKey.publicKey.derRepresentation) }

    /// What a managed device of Apple's sends of one key.
    ///
    /// - Parameter point: X9.63.
    package func apple(
        _ point: [UInt8], challenge: [UInt8], serial: String? = nil, udid: String? = nil
    ) throws -> [[UInt8]] {
        let values: [(ASN1ObjectIdentifier, [UInt8]?)] = [
            ([1, 2, 840, 113635, 100, 8, 11, 1], challenge),
            ([1, 2, 840, 113635, 100, 8, 9, 1], serial.map { Array($0.utf8) }),
            ([1, 2, 840, 113635, 100, 8, 9, 2], udid.map { Array($0.utf8) }),
        ]
        var leaf = AttestationAuthority.Leaf()
        leaf.extensions = values.compactMap { identifier, value in
            value.map { .init(oid: identifier, critical: false, value: $0[...]) }
        }
        let key = try P256.Signing.PublicKey(x963Representation: point)
        return [try makers.issue(leaf, of: .init(key)).der, try makers.intermediate.der]
    }

    /// What a TPM says of one key: `TPMT_PUBLIC`, `TPMS_ATTEST`, and the signature in DER.
    ///
    /// - Parameter point: X9.63.
    package func tpm(
        _ point: [UInt8], challenge: [UInt8]
    ) throws -> (publicArea: [UInt8], certifyInfo: [UInt8], signature: [UInt8]) {
        // fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, sign; P-256.
        let area: [UInt8] =
            [0x00, 0x23, 0x00, 0x0B, 0x00, 0x04, 0x00, 0x72] + Self.sized([])
            + [0, 0x10, 0, 0x10, 0, 3, 0, 0x10] + Self.sized(Array(point[1..<33]))
            + Self.sized(Array(point[33...]))
        let name = [0x00, 0x0B] + Array(SHA256.hash(data: area))
        let info: [UInt8] =
            [0xFF, 0x54, 0x43, 0x47, 0x80, 0x17] + Self.sized([1, 2, 3]) + Self.sized(challenge)
            + [UInt8](repeating: 0x33, count: 25) + Self.sized(name) + Self.sized([])
        let signature = try attestationKey.signature(for: info).derRepresentation
        return (area, info, Array(signature))
    }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }
}
