// SPDX-License-Identifier: Apache-2.0
import CryptoExtras
import Primitives

/// Reads the numbers out of a JWK's members (RFC 7518 section 6, RFC 8037 section 2).
struct JWKReader {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    func bytes(_ name: String) throws(JOSEError) -> [UInt8] {
        guard let bytes = try bytesIfPresent(name) else {
            throw JOSEError(.keyMalformed, "\(name) is missing")
        }
        return bytes
    }

    private func bytesIfPresent(_ name: String) throws(JOSEError) -> [UInt8]? {
        guard let value = object[name] else { return nil }
        guard let bytes = value.string.flatMap({ Base64URL.decode($0) }) else {
            throw JOSEError(.keyMalformed, "\(name) is not base64url")
        }
        return bytes
    }

    func publicMaterial(_ keyType: String) throws(JOSEError) -> PublicJWK.Material {
        switch keyType {
        case "EC":
            guard let curve = EllipticCurve(rawValue: try curveName()) else { throw unsupported }
            return .ellipticCurve(curve, x: try bytes("x"), y: try bytes("y"))
        case "RSA": return .rsa(n: try bytes("n"), e: try bytes("e"))
        case "OKP":
            guard let curve = OctetKeyPairCurve(rawValue: try curveName()) else {
                throw unsupported
            }
            return .octetKeyPair(curve, x: try bytes("x"))
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
        guard let d = try bytesIfPresent("d") else { return nil }
        guard d.count == length else {
            throw JOSEError(.keyMalformed, "d has the wrong length")
        }
        return .scalar(Secret(d))
    }

    private func rsaMaterial(n: [UInt8], e: [UInt8]) throws(JOSEError) -> PrivateJWK.Material? {
        let factors = ["p", "q", "dp", "dq", "qi"]
        guard let d = try bytesIfPresent("d") else {
            guard factors.allSatisfy({ object[$0] == nil }) else {
                throw JOSEError(.keyMalformed, "an RSA private key needs d")
            }
            return nil
        }
        guard let p = try bytesIfPresent("p"), let q = try bytesIfPresent("q"),
            d.count <= n.count, p.count < n.count, q.count < n.count
        else {
            throw JOSEError(.keyUnsupported, "an RSA private key needs its prime factors p and q")
        }
        return .rsa(d: Secret(d), p: Secret(p), q: Secret(q))
    }

    private func curveName() throws(JOSEError) -> String {
        guard let name = try KeyParameters.text("crv", in: object) else {
            throw JOSEError(.keyMalformed, "crv is missing")
        }
        return name
    }

    private var unsupported: JOSEError {
        JOSEError(.keyUnsupported, "an unknown key type or curve")
    }
}
