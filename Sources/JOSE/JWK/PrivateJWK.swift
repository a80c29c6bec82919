// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
package import Primitives

/// A key pair as a JWK. The private parts are secrets: the type prints its public half only.
package struct PrivateJWK: Sendable, Equatable, CustomStringConvertible {
    package enum Material: Sendable, Equatable {
        /// `d` of an EC or OKP key, at its full length.
        case scalar(Secret)
        /// Private exponent and prime factors, big-endian.
        case rsa(d: Secret, p: Secret, q: Secret)
    }

    package let publicKey: PublicJWK
    let material: Material
    /// The loaded form of a key on P-256, which agrees on keys. Loading one costs a multiplication
    /// on the curve, and so does the check that the halves belong together: this is both.
    let agreement: P256.KeyAgreement.PrivateKey?

    /// - Throws: `keyMalformed`, `keyMismatch` when the two halves do not belong together.
    init(publicKey: PublicJWK, material: Material) throws(JOSEError) {
        self.publicKey = publicKey
        self.material = material
        agreement =
            switch (publicKey.material, material) {
            case (.ellipticCurve(let curve, _, _), .scalar(let d)): Self.agreement(d, on: curve)
            default: nil
            }
        try checkHalves()
    }

    private init(
        _ publicKey: PublicJWK, _ material: Material, _ agreement: P256.KeyAgreement.PrivateKey?
    ) {
        self.publicKey = publicKey
        self.material = material
        self.agreement = agreement
    }

    /// The key pair of a private scalar, at its full length.
    package init(scalar d: Secret, on curve: EllipticCurve) throws(JOSEError) {
        agreement = Self.agreement(d, on: curve)
        guard let point = try? Self.point(of: d, on: curve, agreement) else {
            throw JOSEError(.keyMalformed, "not a valid private key")
        }
        let half = curve.coordinateBytes
        let material = PublicJWK.Material.ellipticCurve(
            curve, x: Array(point.prefix(half)), y: Array(point.suffix(half)))
        publicKey = try PublicJWK(material, parameters: KeyParameters())
        self.material = .scalar(d)
    }

    /// The key pair of 32 private bytes on X25519.
    init(x25519 d: Secret) throws(JOSEError) {
        guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: d.reveal())
        else { throw JOSEError(.keyMalformed, "not a valid private key") }
        let x = Array(key.publicKey.rawRepresentation)
        publicKey = try PublicJWK(.octetKeyPair(.x25519, x: x), parameters: KeyParameters())
        material = .scalar(d)
        agreement = nil
    }

    package static func == (left: PrivateJWK, right: PrivateJWK) -> Bool {
        left.publicKey == right.publicKey && left.material == right.material
    }

    package var parameters: KeyParameters { publicKey.parameters }
    package var keyID: String? { publicKey.keyID }

    /// The same key with another `kid`, `use` or `alg`.
    package func with(_ parameters: KeyParameters) throws(JOSEError) -> PrivateJWK {
        PrivateJWK(try publicKey.with(parameters), material, agreement)
    }

    /// The whole JWK as JSON, to be sealed before it is stored.
    package func export() -> Secret {
        var members = publicKey.json.object?.members ?? []
        func add(_ name: String, _ value: Secret) {
            let text = Base64URL.encode(value.reveal())
            members.append(.init(name: name, value: .string(text)))
        }
        switch material {
        case .scalar(let d): add("d", d)
        case .rsa(let d, let p, let q):
            add("d", d)
            add("p", p)
            add("q", q)
        }
        return Secret(JSONObject(members).bytes)
    }

    package var description: String { "private JWK of \(publicKey.description)" }

    private func checkHalves() throws(JOSEError) {
        let matches: Bool
        do {
            matches = try derivedPublicMaterial() == publicKey.material
        } catch {
            throw JOSEError(.keyMalformed, "not a valid private key")
        }
        guard matches else {
            throw JOSEError(.keyMismatch, "private and public part do not belong together")
        }
    }

    private func derivedPublicMaterial() throws -> PublicJWK.Material {
        switch (publicKey.material, material) {
        case (.ellipticCurve(let curve, _, _), .scalar(let d)):
            let point = try Self.point(of: d, on: curve, agreement)
            let half = curve.coordinateBytes
            return .ellipticCurve(curve, x: Array(point.prefix(half)), y: Array(point.suffix(half)))
        case (.octetKeyPair(.ed25519, _), .scalar(let d)):
            let key = try Curve25519.Signing.PrivateKey(rawRepresentation: d.reveal())
            return .octetKeyPair(.ed25519, x: Array(key.publicKey.rawRepresentation))
        case (.octetKeyPair(.x25519, _), .scalar(let d)):
            let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: d.reveal())
            return .octetKeyPair(.x25519, x: Array(key.publicKey.rawRepresentation))
        case (.rsa(let n, let e), .rsa(let d, let p, let q)):
            // Loading checks that the numbers belong to one key.
            _ = try _RSA.Signing.PrivateKey(
                n: n, e: e, d: d.reveal(), p: p.reveal(), q: q.reveal())
            return publicKey.material
        default: throw JOSEError(.keyMalformed, "the halves are of different kinds")
        }
    }

    /// `nil` on another curve, and when the scalar is none.
    private static func agreement(
        _ d: Secret, on curve: EllipticCurve
    ) -> P256.KeyAgreement.PrivateKey? {
        guard curve == .p256 else { return nil }
        return try? P256.KeyAgreement.PrivateKey(rawRepresentation: d.reveal())
    }

    /// X and Y.
    private static func point(
        of d: Secret, on curve: EllipticCurve, _ loaded: P256.KeyAgreement.PrivateKey?
    ) throws -> [UInt8] {
        switch curve {
        case .p256:
            guard let loaded else { throw JOSEError(.keyMalformed, "not a valid private key") }
            return Array(loaded.publicKey.rawRepresentation)
        case .p384:
            let key = try P384.Signing.PrivateKey(rawRepresentation: d.reveal())
            return Array(key.publicKey.rawRepresentation)
        case .p521:
            let key = try P521.Signing.PrivateKey(rawRepresentation: d.reveal())
            return Array(key.publicKey.rawRepresentation)
        }
    }
}
