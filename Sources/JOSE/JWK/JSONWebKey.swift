// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A parsed JWK. The three kinds are different types, so that a public key cannot be used as a
/// shared one, nor a private key be published.
package enum JSONWebKey: Sendable, Equatable, CustomStringConvertible {
    case publicKey(PublicJWK)
    case privateKey(PrivateJWK)
    case symmetricKey(SymmetricJWK)

    /// The maximum size of a JWK, in bytes: an 8192-bit RSA private key has about 7,000.
    package static let maximumBytes = 16_384

    /// - Throws: `keyMalformed`, `keyUnsupported` for an unknown kind, `keyTooWeak`, `keyMismatch`.
    package init(_ object: JSONObject) throws(JOSEError) {
        let reader = JSONReader(object) { JOSEError(.keyMalformed, $0.description) }
        let parameters = try KeyParameters(reader)
        let keyType = try reader.required("kty", .keyParameter)
        if keyType.hasSameBytes(as: "oct") {
            let key = Secret(try reader.required("k", .base64url))
            self = .symmetricKey(try SymmetricJWK(key, parameters: parameters))
            return
        }
        let publicKey = try PublicJWK(reader.publicMaterial(keyType), parameters: parameters)
        if let material = try reader.privateMaterial(for: publicKey) {
            self = .privateKey(try PrivateJWK(publicKey: publicKey, material: material))
        } else {
            self = .publicKey(publicKey)
        }
    }

    /// Reads JSON text.
    package init(bytes: [UInt8]) throws(JOSEError) {
        try self.init(Self.object(bytes, maximumBytes: Self.maximumBytes))
    }

    /// Reads the JSON text of a key or of a set of keys.
    static func object(
        _ bytes: [UInt8], maximumBytes: Int
    ) throws(JOSEError) -> JSONObject {
        do { return try JSONParser.parseObject(bytes, maximumBytes: maximumBytes) } catch {
            throw JOSEError(.keyMalformed, "not a JSON object")
        }
    }

    package var parameters: KeyParameters {
        switch self {
        case .publicKey(let key): key.parameters
        case .privateKey(let key): key.parameters
        case .symmetricKey(let key): key.parameters
        }
    }

    /// The public half, when there is one.
    package var publicKey: PublicJWK? {
        switch self {
        case .publicKey(let key): key
        case .privateKey(let key): key.publicKey
        case .symmetricKey: nil
        }
    }

    package var privateKey: PrivateJWK? {
        if case .privateKey(let key) = self { key } else { nil }
    }

    package var symmetricKey: SymmetricJWK? {
        if case .symmetricKey(let key) = self { key } else { nil }
    }

    package var keyType: String { publicKey?.keyType ?? "oct" }

    package var description: String {
        switch self {
        case .publicKey(let key): key.description
        case .privateKey(let key): key.description
        case .symmetricKey(let key): key.description
        }
    }
}
