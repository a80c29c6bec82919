// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PlatformSSO

/// A public key as extensions send it: a JWK, PEM, or the Base64 of a `SecKey` export.
///
/// Every form is converted to one point on P-256, from which the key ID is computed. Other
/// statements of a message about the key are ignored.
package enum DevicePublicKey {
    private static let maximumBytes = 1024
    /// The SubjectPublicKeyInfo of a P-256 key (RFC 5480 section 2) before the point.
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

    /// The body of PEM (RFC 7468). It is a SubjectPublicKeyInfo or a bare point.
    private static func body(of text: String) -> String {
        guard text.hasPrefix("-----BEGIN ") else { return text }
        return text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
    }

    private static var malformed: PlatformSSORefusal {
        PlatformSSORefusal(.publicKeyMalformed, "neither JWK, PEM nor X9.63 point on P-256")
    }
}
