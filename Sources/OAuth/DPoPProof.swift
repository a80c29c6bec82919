// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A proof that the sender of a request has a private key: RFC 9449 section 4.
///
/// Its form, its signature and its request are verified. The caller checks its age, its reuse and
/// the identity of the key.
package struct DPoPProof: Sendable, Equatable {
    /// RFC 7638, base64url: `jkt` of the key that signed.
    package let thumbprint: String
    /// `jti`.
    package let identifier: String
    /// `iat`, in seconds since 1970.
    package let issuedAt: Int64
    /// The server's nonce, if it requested one.
    package let nonce: String?
    /// `ath`: Base64url of the SHA-256 of the request's access token.
    package let accessTokenHash: String?

    /// `typ` of the header.
    package static let type = "dpop+jwt"
    /// Asymmetric ones alone, and none that RFC 9449 section 11.6 or the FAPI profiles advise
    /// against.
    package static let algorithms: [JWSAlgorithm] = [.es256, .edDSA, .ps256]
    /// The maximum size of the proof: RSA keys are the longest.
    private static let maximumBytes = 8192
    private static let maximumIdentifierLength = 256

    /// Verifies section 4.3, checks 2 to 9 and the form of the others.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - address: The URL of that request, without query and fragment.
    package init(
        compact text: String, method: String, address: String
    ) throws(DPoPProofError) {
        let jws: UnverifiedJWS
        do { jws = try UnverifiedJWS(compact: text, maximumBytes: Self.maximumBytes) } catch {
            throw .malformed
        }
        guard jws.header.isType(Self.type) else { throw .type }
        guard let member = jws.header.members["jwk"]?.object,
            case .publicKey(let key)? = try? JSONWebKey(member)
        else { throw .key }
        let claims: JSONObject
        do {
            let verified = try JWSVerifier(key: .publicKey(key), algorithms: Self.algorithms)
                .verify(jws)
            claims = try JSONParser.parseObject(
                verified.payload, maximumBytes: Self.maximumBytes, maximumDepth: 8)
        } catch { throw .signature }
        guard let identifier = claims["jti"]?.string,
            (1...Self.maximumIdentifierLength).contains(identifier.utf8.count),
            let issuedAt = claims["iat"]?.numericDate,
            let nonce = Self.text("nonce", in: claims), let hash = Self.text("ath", in: claims)
        else { throw .claims }
        guard claims["htm"]?.string?.hasSameBytes(as: method) == true else { throw .method }
        guard let target = claims["htu"]?.string.map(Self.normalized),
            target.hasSameBytes(as: Self.normalized(address))
        else { throw .address }
        thumbprint = key.thumbprintText
        self.identifier = identifier
        self.issuedAt = issuedAt
        self.nonce = nonce
        accessTokenHash = hash
    }

    /// Doubly optional: `nil` if the claim is present and not a text.
    private static func text(_ name: String, in claims: JSONObject) -> String?? {
        guard let value = claims[name] else { return .some(nil) }
        guard let text = value.string else { return .none }
        return .some(text)
    }

    /// Returns the normalized URL by RFC 3986 sections 6.2.2 and 6.2.3, as far as the provider's
    /// URLs can differ: scheme and host in lower case, no default port, no empty path, no query, no
    /// fragment.
    static func normalized(_ address: String) -> String {
        let plain = address.prefix { $0 != "?" && $0 != "#" }
        guard let colons = plain.firstRange(of: "://") else { return String(plain) }
        let scheme = plain[..<colons.lowerBound].lowercased()
        let rest = plain[colons.upperBound...]
        var authority = rest.prefix { $0 != "/" }.lowercased()
        let path = rest.dropFirst(authority.count)
        for (name, port) in [("https", ":443"), ("http", ":80")]
        where scheme == name && authority.hasSuffix(port) {
            authority.removeLast(port.count)
        }
        return "\(scheme)://\(authority)\(path.isEmpty ? "/" : String(path))"
    }
}

/// The reason why a proof is invalid.
package enum DPoPProofError: String, Error, Sendable {
    case malformed, type, key, signature, claims, method, address
}
