// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The response of the key service to a key request or a key exchange (Apple "Supporting key
/// requests and key exchange requests").
package struct KeyResponse: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        /// The certificate, in DER, of the unlock key that was provisioned.
        case certificate([UInt8])
        /// The key agreement of the unlock key with the device's key: 32 bytes.
        case key(Secret)
    }

    package static let maximumContextBytes = 8192
    package static let lifetime = TimeSpan.minutes(5)

    package var content: Content
    /// Data that the device stores unencrypted without interpretation: the provider seals them.
    package var keyContext: String?
    package var issuedAt: Timestamp
    package var expiresAt: Timestamp

    /// Creates a response that is valid for five minutes from `now`.
    package init(_ content: Content, keyContext: String?, now: Timestamp) {
        self.content = content
        self.keyContext = keyContext
        issuedAt = now
        expiresAt = now + Self.lifetime
    }

    /// The compact JWE for the device, with the type ``MessageType/keyResponse``.
    package func sealed(
        for response: ResponseEncryption, random: some RandomSource
    ) throws(JOSEError) -> [UInt8] {
        try response.seal(json, type: .keyResponse, random: random)
    }

    package var json: [UInt8] {
        var object = JSONObject()
        switch content {
        case .certificate(let der): object["certificate"] = .string(Base64URL.encode(der))
        case .key(let key): object["key"] = .string(Base64.encode(key.reveal()))
        }
        object["iat"] = .integer(issuedAt.seconds)
        object["exp"] = .integer(expiresAt.seconds)
        object["key_context"] = keyContext.map(JSONValue.string)
        return object.bytes
    }

    /// Reads what a ``SealedResponse`` held, and checks its times.
    ///
    /// - Throws: `claimMissing`, `claimMalformed`, `issuedInFuture`, `expired`.
    package init(
        _ members: JSONObject, now: Timestamp
    ) throws(PlatformSSORefusal) {
        let claims = MessageClaims(members)
        content = try Self.content(of: claims)
        keyContext = try claims.text("key_context", maximumBytes: Self.maximumContextBytes)
        issuedAt = try claims.issuedAt(now: now)
        expiresAt = try claims.expiresAt(now: now)
    }

    private static func content(
        of claims: MessageClaims
    ) throws(PlatformSSORefusal) -> Content {
        let certificate = try claims.text("certificate", maximumBytes: 32_768)
        let key = try claims.text("key", maximumBytes: 64)
        switch (certificate.map { LenientBase64.decode($0) }, key.map { LenientBase64.decode($0) })
        {
        case (.some(let der?), nil) where der.first == 0x30: return .certificate(der)
        case (nil, .some(let bytes?)) where bytes.count == 32: return .key(Secret(bytes))
        case (nil, nil): throw PlatformSSORefusal(.claimMissing, "neither certificate nor key")
        default:
            throw PlatformSSORefusal(
                .claimMalformed, "not one of a certificate in DER and a key of 32 bytes")
        }
    }

    /// Returns the full result of the key agreement between the unlock key and the key of a
    /// ``VerifiedKeyRequest``.
    ///
    /// - Throws: `publicKeyMalformed` if the keys do not fit.
    package static func agree(
        provisioned: PrivateJWK, other: PublicJWK
    ) throws(PlatformSSORefusal) -> Secret {
        guard let secret = try? KeyAgreement.sharedSecret(provisioned, other), secret.count == 32
        else {
            throw PlatformSSORefusal(.publicKeyMalformed, "the two keys cannot agree")
        }
        return Secret(secret)
    }
}
