// SPDX-License-Identifier: Apache-2.0
package import CBOR
package import Crypto
import Primitives
package import WebAuthn

/// The private key of one credential.
package enum CredentialPrivateKey: Sendable {
    case es256(P256.Signing.PrivateKey)
    case es384(P384.Signing.PrivateKey)
    case ed25519(Curve25519.Signing.PrivateKey)
    /// ES256, in hardware that does not export it.
    case hardware(HardwareKey)

    /// The algorithms of software keys, best first.
    package static let algorithms: [COSEAlgorithm] = [.es256, .edDSA, .es384]

    /// A fresh key; `nil` when the algorithm is not one of ``algorithms``.
    init?(_ algorithm: COSEAlgorithm, random: some RandomSource) {
        // A draw outside the group's order happens once in 2^32; three in a row never, unless the
        // generator is broken, and then there is no key.
        for _ in 0..<3 {
            var bytes = random.bytes(algorithm == .es384 ? 48 : 32)
            if let key = Self(algorithm, raw: Secret(wiping: &bytes)) {
                self = key
                return
            }
        }
        return nil
    }

    init?(_ algorithm: COSEAlgorithm, raw: Secret) {
        let key: Self? = raw.withBytes { bytes in
            switch algorithm {
            case .es256: (try? P256.Signing.PrivateKey(rawRepresentation: bytes)).map(Self.es256)
            case .es384: (try? P384.Signing.PrivateKey(rawRepresentation: bytes)).map(Self.es384)
            case .edDSA:
                (try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)).map(Self.ed25519)
            default: nil
            }
        }
        guard let key else { return nil }
        self = key
    }

    /// The private key, or what the hardware needs to find it.
    var raw: Secret {
        var bytes: [UInt8] =
            switch self {
            case .es256(let key): Array(key.rawRepresentation)
            case .es384(let key): Array(key.rawRepresentation)
            case .ed25519(let key): Array(key.rawRepresentation)
            case .hardware(let key): key.encoded
            }
        return Secret(wiping: &bytes)
    }

    var isInHardware: Bool { if case .hardware = self { true } else { false } }

    package var algorithm: COSEAlgorithm {
        switch self {
        case .es256, .hardware: .es256
        case .es384: .es384
        case .ed25519: .edDSA
        }
    }

    /// The signature as WebAuthn sends it: DER for ECDSA, 64 bytes for Ed25519.
    ///
    /// - Parameter hardware: What holds the key when it is not here. Without it there is none.
    func sign(
        _ message: [UInt8], by hardware: (any CredentialHardware)?
    ) throws(CTAPStatus) -> [UInt8] {
        do {
            switch self {
            case .es256(let key): return Array(try key.signature(for: message).derRepresentation)
            case .es384(let key): return Array(try key.signature(for: message).derRepresentation)
            case .ed25519(let key): return Array(try key.signature(for: message))
            case .hardware(let key):
                guard let hardware else { throw CTAPStatus.other }
                return try hardware.sign(message, with: key)
            }
        } catch { throw .other }
    }

    /// The public key in COSE form (WebAuthn section 6.5.1.1).
    package var publicKey: CBORValue {
        switch self {
        case .es256(let key): Self.cose(-7, curve: 1, key.publicKey.rawRepresentation.map { $0 })
        case .hardware(let key): Self.cose(-7, curve: 1, key.point)
        case .es384(let key): Self.cose(-35, curve: 2, key.publicKey.rawRepresentation.map { $0 })
        case .ed25519(let key):
            .map([
                CBOREntry(.integer(1), .integer(1)), CBOREntry(.integer(3), .integer(-8)),
                CBOREntry(.integer(-1), .integer(6)),
                CBOREntry(.integer(-2), .byteString(key.publicKey.rawRepresentation)),
            ])
        }
    }

    private static func cose(_ algorithm: Int64, curve: Int64, _ point: [UInt8]) -> CBORValue {
        let half = point.count / 2
        return .map([
            CBOREntry(.integer(1), .integer(2)), CBOREntry(.integer(3), .integer(algorithm)),
            CBOREntry(.integer(-1), .integer(curve)),
            CBOREntry(.integer(-2), .bytes(point.prefix(half))),
            CBOREntry(.integer(-3), .bytes(point.suffix(half))),
        ])
    }

    /// The uncompressed point of U2F; `nil` for other keys than P-256.
    var uncompressedPoint: [UInt8]? {
        if case .es256(let key) = self { Array(key.publicKey.x963Representation) } else { nil }
    }
}
