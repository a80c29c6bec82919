// SPDX-License-Identifier: Apache-2.0
import JOSE

/// The algorithm of a key operation, by Apple's names.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// - Parameter rawValue: the name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// ECDSA over a message with SHA-256; the signature in DER.
    public static let ecdsaSignatureMessageX962SHA256 =
        Self(rawValue: "algid:sign:ECDSA:message-X962:SHA256")
    /// ECDSA over a message with SHA-384; the signature in DER.
    public static let ecdsaSignatureMessageX962SHA384 =
        Self(rawValue: "algid:sign:ECDSA:message-X962:SHA384")
    /// ECDSA over a message with SHA-256; the signature as two numbers of full length.
    public static let ecdsaSignatureMessageRFC4754SHA256 =
        Self(rawValue: "algid:sign:ECDSA:message-RFC4754:SHA256")
    /// ECDSA over a message with SHA-384; the signature as two numbers of full length.
    public static let ecdsaSignatureMessageRFC4754SHA384 =
        Self(rawValue: "algid:sign:ECDSA:message-RFC4754:SHA384")
    /// RSASSA-PKCS1-v1_5 over a message with SHA-256.
    public static let rsaSignatureMessagePKCS1v15SHA256 =
        Self(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA256")
    /// Diffie-Hellman; the X coordinate, without any derivation.
    public static let ecdhKeyExchangeStandard = Self(rawValue: "algid:keyexchange:ECDH")

    var signature: JWSAlgorithm? {
        switch self {
        case .ecdsaSignatureMessageX962SHA256, .ecdsaSignatureMessageRFC4754SHA256: .es256
        case .ecdsaSignatureMessageX962SHA384, .ecdsaSignatureMessageRFC4754SHA384: .es384
        case .rsaSignatureMessagePKCS1v15SHA256: .rs256
        default: nil
        }
    }

    /// Whether such a key can sign so.
    func fits(_ key: PublicJWK) -> Bool {
        switch (signature, key.material) {
        case (.es256, .ellipticCurve(.p256, _, _)), (.es384, .ellipticCurve(.p384, _, _)),
            (.rs256, .rsa):
            true
        default: false
        }
    }

    /// Whether its signatures are in DER.
    var isX962: Bool {
        [.ecdsaSignatureMessageX962SHA256, .ecdsaSignatureMessageX962SHA384].contains(self)
    }
}

/// The operation of a key.
public enum SecKeyOperationType: Int, Sendable {
    /// Sign.
    case sign = 0
    /// Verify a signature.
    case verify = 1
    /// Agree on a secret with another key.
    case keyExchange = 4
}

/// The kind of a key.
public let kSecAttrKeyType: CFString = "type"
/// An elliptic curve of prime order.
public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// Public or private.
public let kSecAttrKeyClass: CFString = "kcls"
/// Public.
public let kSecAttrKeyClassPublic: CFString = "0"
/// Private; keys of that class cannot be made from data here.
public let kSecAttrKeyClassPrivate: CFString = "1"
/// The length of a key in bits.
public let kSecAttrKeySizeInBits: CFString = "bsiz"
