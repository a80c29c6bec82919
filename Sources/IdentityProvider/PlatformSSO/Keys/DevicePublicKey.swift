// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PlatformSSO
import Primitives

/// A public key as extensions send it: a JWK, PEM, or base64 of what `SecKey` exports.
///
/// Every form comes down to one point on P-256, from which the key's name is made anew; what a
/// message says about a key beside that is dropped.
package enum DevicePublicKey {
    private static let maximumBytes = 1024
    /// SubjectPublicKeyInfo of a P-256 key (RFC 5480 section 2) up to the point.
    static let infoPrefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
        0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// - Throws: `publicKeyMalformed`.
    package static func read(_ value: JSONValue) throws(PlatformSSORefusal) -> PublicJWK {
        if let object = value.object { return try read(jwk: object) }
        guard let text = value.string, text.utf8.count <= maximumBytes,
            let bytes = LenientBase64.decode(body(of: text))
        else { throw malformed }
        let isInfo = bytes.starts(with: infoPrefix)
        return try PublicJWK(x963: isInfo ? Array(bytes.dropFirst(infoPrefix.count)) : bytes)
    }

    private static func read(jwk: JSONObject) throws(PlatformSSORefusal) -> PublicJWK {
        guard jwk["d"] == nil, let key = try? JSONWebKey(jwk).publicKey, let point = key.x963
        else { throw malformed }
        return try PublicJWK(x963: point)
    }

    /// What stands between the lines of PEM (RFC 7468); both a whole SubjectPublicKeyInfo and a
    /// bare point occur.
    private static func body(of text: String) -> String {
        guard text.hasPrefix("-----BEGIN ") else { return text }
        return text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
    }

    private static var malformed: PlatformSSORefusal {
        PlatformSSORefusal(.publicKeyMalformed, "neither JWK, PEM nor X9.63 point on P-256")
    }
}
