// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// Compact JWS by keys that never leave their store.
enum KeySignature {
    /// RFC 7515 section 7.1, ES256.
    static func jws(
        payload: [UInt8], typ: String, kid: String? = nil, header more: [JSONObject.Member] = [],
        by key: any StoredKey
    ) async throws -> String {
        var header = JSONObject([
            .init(name: "alg", value: "ES256"), .init(name: "typ", value: .string(typ)),
        ])
        if let kid { header["kid"] = .string(kid) }
        for member in more { header[member.name] = member.value }
        var message = Base64URL.encodeBytes(header.bytes)
        message.append(UInt8(ascii: "."))
        Base64URL.append(payload, to: &message)
        let signature = try await key.signature(over: message)
        message.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &message)
        return String(decoding: message, as: UTF8.self)
    }
}

extension P256PublicKey {
    /// Returns the key as a JWK, without `kid`.
    func jwk() throws -> PublicJWK {
        do {
            return try PublicJWK(
                .ellipticCurve(.p256, x: x, y: y), parameters: KeyParameters())
        } catch { throw StoreError.damaged("the key is not a P-256 key") }
    }
}
