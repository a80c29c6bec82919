// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The public key with which an app installation signs in: P-256, or RSA of at least 2048 bits.
package struct InstallationKey: Sendable, Equatable {
    /// Without `kid`, `use` and `alg`.
    package let jwk: PublicJWK
    /// The installation's name of the key: `kid` of its sign-in tokens. By default the thumbprint
    /// (RFC 7638 section 3).
    package let keyID: String

    /// ES256 for P-256, RS256 for RSA: one algorithm for each kind of key.
    package var algorithm: JWSAlgorithm {
        if case .rsa = jwk.material { .rs256 } else { .es256 }
    }

    /// The maximum length of a `kid`, in bytes.
    package static let maximumKeyIDLength = 255
    private static let maximumTextLength = 8192

    /// - Throws: `keyUnsupported` for keys of other kinds and for everything except a public key,
    ///   and the errors of reading a key.
    package init(_ jwk: PublicJWK, keyID: String? = nil) throws(JOSEError) {
        switch jwk.material {
        case .ellipticCurve(.p256, _, _), .rsa: break
        default: throw JOSEError(.keyUnsupported, "neither P-256 nor RSA")
        }
        self.jwk = try jwk.with(KeyParameters())
        self.keyID = keyID ?? jwk.keyID ?? jwk.thumbprintText
        guard (1...Self.maximumKeyIDLength).contains(self.keyID.utf8.count) else {
            throw JOSEError(.keyMalformed, "the key's id is empty or too long")
        }
    }

    /// Reads a JWK; Base64 of a DER key (PKCS #1 or SubjectPublicKeyInfo); or the object of the
    /// Sudo User SDK, `{"keyId", "algorithm": "RSA", "publicKey": Base64 of PKCS #1}`, also as the
    /// JSON text that it sends.
    package init(_ value: JSONValue) throws(JOSEError) {
        if let text = value.string {
            if text.hasPrefix("{") {
                guard
                    let object = try? JSONParser.parseObject(
                        Array(text.utf8), maximumBytes: Self.maximumTextLength)
                else { throw JOSEError(.keyMalformed, "a text that is not a JSON object") }
                try self.init(.object(object))
                return
            }
            try self.init(PublicJWK(base64DER: text))
            return
        }
        guard let object = value.object else {
            throw JOSEError(.keyMalformed, "neither a JWK nor base64")
        }
        if let text = object["publicKey"]?.string {
            try self.init(PublicJWK(base64DER: text), keyID: object["keyId"]?.string)
            return
        }
        guard case .publicKey(let jwk) = try JSONWebKey(object) else {
            throw JOSEError(.keyUnsupported, "not a public key")
        }
        try self.init(jwk)
    }
}
