// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import Primitives

/// A public key as a JWK (RFC 7517, RFC 7518 section 6, RFC 8037), checked: the point lies on its
/// curve, the modulus has a decent size.
package struct PublicJWK: Sendable, Equatable, CustomStringConvertible {
    package enum Material: Sendable, Equatable {
        /// Coordinates at their full length.
        case ellipticCurve(EllipticCurve, x: [UInt8], y: [UInt8])
        /// Modulus and exponent, big-endian, without leading zeros.
        case rsa(n: [UInt8], e: [UInt8])
        /// 32 bytes.
        case octetKeyPair(OctetKeyPairCurve, x: [UInt8])
    }

    package let material: Material
    package let parameters: KeyParameters
    let verification: VerificationKey?

    /// - Throws: `keyMalformed`, `keyTooWeak`.
    package init(_ material: Material, parameters: KeyParameters) throws(JOSEError) {
        self.material = material
        self.parameters = parameters
        try Self.check(material)
        verification = try VerificationKey(material)
        try AlgorithmFit.check(parameters.algorithm, material)
    }

    private init(
        _ material: Material, _ parameters: KeyParameters, _ verification: VerificationKey?
    ) {
        self.material = material
        self.parameters = parameters
        self.verification = verification
    }

    /// The same key with another `kid`, `use` or `alg`.
    package func with(_ parameters: KeyParameters) throws(JOSEError) -> PublicJWK {
        try AlgorithmFit.check(parameters.algorithm, material)
        return PublicJWK(material, parameters, verification)
    }

    package var keyID: String? { parameters.keyID }

    /// `EC`, `RSA` or `OKP`.
    package var keyType: String {
        switch material {
        case .ellipticCurve: "EC"
        case .rsa: "RSA"
        case .octetKeyPair: "OKP"
        }
    }

    private static func check(_ material: Material) throws(JOSEError) {
        switch material {
        case .ellipticCurve(let curve, let x, let y):
            guard x.count == curve.coordinateBytes, y.count == curve.coordinateBytes else {
                throw JOSEError(.keyMalformed, "a coordinate has the wrong length")
            }
        case .rsa(let n, let e): try RSAStrength.check(n: n, e: e)
        case .octetKeyPair(_, let x):
            guard x.count == 32 else {
                throw JOSEError(.keyMalformed, "an OKP key has 32 bytes")
            }
        }
    }

    /// The required members in the order of RFC 7638 section 3.2.
    private var requiredMembers: [(String, String)] {
        switch material {
        case .ellipticCurve(let curve, let x, let y):
            [
                ("crv", curve.rawValue), ("kty", "EC"), ("x", Base64URL.encode(x)),
                ("y", Base64URL.encode(y)),
            ]
        case .rsa(let n, let e):
            [("e", Base64URL.encode(e)), ("kty", "RSA"), ("n", Base64URL.encode(n))]
        case .octetKeyPair(let curve, let x):
            [("crv", curve.rawValue), ("kty", "OKP"), ("x", Base64URL.encode(x))]
        }
    }

    /// The input of the thumbprint: the required members as JSON, the canonical form of the key
    /// (RFC 7638 section 3.1).
    package var canonicalBytes: [UInt8] {
        JSONObject(requiredMembers.map { .init(name: $0, value: .string($1)) }).bytes
    }

    /// The SHA-256 thumbprint of RFC 7638, 32 bytes.
    package var thumbprint: [UInt8] { Array(SHA256.hash(data: canonicalBytes)) }

    /// The thumbprint in base64url, the usual `kid` and `jkt`.
    package var thumbprintText: String { Base64URL.encode(thumbprint) }

    /// The JWK with its parameters; there is nothing private in it.
    package var json: JSONValue {
        let required = requiredMembers.map { JSONObject.Member(name: $0, value: .string($1)) }
        return .object(JSONObject(required + parameters.members))
    }

    package var description: String { json.text }

    package static func == (left: PublicJWK, right: PublicJWK) -> Bool {
        left.material == right.material && left.parameters == right.parameters
    }
}
