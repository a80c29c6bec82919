// SPDX-License-Identifier: Apache-2.0
import CryptoExtras
import Primitives

/// The numbers of a JWK (RFC 7518 section 6, RFC 8037 section 2).
extension JSONReader<JOSEError> {
    func publicMaterial(_ keyType: String) throws(JOSEError) -> PublicJWK.Material {
        switch keyType {
        case "EC":
            guard let curve = EllipticCurve(rawValue: try required("crv", .keyParameter)) else {
                throw unsupported
            }
            return .ellipticCurve(
                curve, x: try required("x", .base64url), y: try required("y", .base64url))
        case "RSA": return .rsa(n: try required("n", .base64url), e: try required("e", .base64url))
        case "OKP":
            guard let curve = OctetKeyPairCurve(rawValue: try required("crv", .keyParameter)) else {
                throw unsupported
            }
            return .octetKeyPair(curve, x: try required("x", .base64url))
        default: throw unsupported
        }
    }

    /// The private half, when any of its members is there.
    func privateMaterial(for key: PublicJWK) throws(JOSEError) -> PrivateJWK.Material? {
        guard object["oth"] == nil else {
            throw JOSEError(.keyUnsupported, "RSA keys have two prime factors here")
        }
        switch key.material {
        case .ellipticCurve(let curve, _, _):
            return try scalar(length: curve.coordinateBytes)
        case .octetKeyPair: return try scalar(length: 32)
        case .rsa(let n, let e): return try rsaMaterial(n: n, e: e)
        }
    }

    private func scalar(length: Int) throws(JOSEError) -> PrivateJWK.Material? {
        guard let d = try optional("d", .base64url) else { return nil }
        guard d.count == length else {
            throw JOSEError(.keyMalformed, "d has the wrong length")
        }
        return .scalar(Secret(d))
    }

    private func rsaMaterial(n: [UInt8], e: [UInt8]) throws(JOSEError) -> PrivateJWK.Material? {
        let factors = ["p", "q", "dp", "dq", "qi"]
        guard let d = try optional("d", .base64url) else {
            guard factors.allSatisfy({ object[$0] == nil }) else {
                throw JOSEError(.keyMalformed, "an RSA private key needs d")
            }
            return nil
        }
        guard let p = try optional("p", .base64url), let q = try optional("q", .base64url),
            d.count <= n.count, p.count < n.count, q.count < n.count
        else {
            throw JOSEError(.keyUnsupported, "an RSA private key needs its prime factors p and q")
        }
        return .rsa(d: Secret(d), p: Secret(p), q: Secret(q))
    }

    private var unsupported: JOSEError {
        JOSEError(.keyUnsupported, "an unknown key type or curve")
    }
}
