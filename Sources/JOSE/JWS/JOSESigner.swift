// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import Primitives

/// Signs compact JWS with one key and one algorithm. The header is encoded once, not per token.
package struct JOSESigner: Sendable, CustomStringConvertible {
    private enum Key: Sendable {
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
        case shared(Secret)
    }

    package let algorithm: JWSAlgorithm
    package let keyID: String?
    /// The public half, as it is published; `nil` for a shared key.
    package let publicKey: PublicJWK?
    private let key: Key
    /// Encoded headers with their dot, by `typ`.
    private let preparedHeaders: [String: [UInt8]]

    /// The types that the provider signs all the time.
    package static let usualTypes = ["JWT", "at+jwt", "logout+jwt"]

    /// - Parameter algorithm: Needed when the key names none.
    /// - Throws: `algorithmUnsupported`, `keyMismatch`, `keyNotPermitted`, `keyMalformed`.
    package init(_ key: PrivateJWK, algorithm: JWSAlgorithm? = nil) throws(JOSEError) {
        let own = key.parameters.algorithm.flatMap { JWSAlgorithm(exactly: $0) }
        guard let algorithm = algorithm ?? own else {
            throw JOSEError(.algorithmUnsupported, "the key names no signature algorithm")
        }
        guard algorithm.fits(key.publicKey.material) else {
            throw JOSEError(.keyMismatch, "the key is of another kind than the algorithm")
        }
        guard key.parameters.algorithm == nil || own == algorithm,
            key.parameters.permits(use: "sig", operations: ["sign"])
        else { throw JOSEError(.keyNotPermitted, "the key is not for signing with that") }
        self.key = try Self.load(key)
        self.algorithm = algorithm
        keyID = key.keyID
        publicKey = key.publicKey
        preparedHeaders = Self.prepare(algorithm, keyID: key.keyID)
    }

    /// A signer with a shared key, HS256 and its siblings.
    package init(_ shared: SymmetricJWK, algorithm: JWSAlgorithm) throws(JOSEError) {
        guard let minimum = algorithm.minimumSymmetricBytes else {
            throw JOSEError(.keyMismatch, "the key is of another kind than the algorithm")
        }
        guard shared.key.reveal().count >= minimum else {
            throw JOSEError(.keyTooWeak, "\(algorithm.rawValue) needs \(minimum) bytes")
        }
        guard shared.parameters.permits(use: "sig", operations: ["sign"]),
            shared.parameters.algorithm.map({ JWSAlgorithm(exactly: $0) == algorithm }) ?? true
        else { throw JOSEError(.keyNotPermitted, "the key is not for signing with that") }
        key = .shared(shared.key)
        self.algorithm = algorithm
        keyID = shared.parameters.keyID
        publicKey = nil
        preparedHeaders = Self.prepare(algorithm, keyID: keyID)
    }

    package var description: String { "\(algorithm.rawValue) signer \(keyID ?? "without kid")" }

    /// Returns the compact JWS of `payload`, as ASCII bytes.
    ///
    /// - Parameter typ: The `typ` of the header, which distinguishes tokens of different purposes
    ///   (RFC 8725 section 3.11).
    /// - Throws: `failure` if the cryptographic library fails.
    package func sign(payload: [UInt8], typ: String) throws(JOSEError) -> [UInt8] {
        let header =
            preparedHeaders[typ] ?? Self.header(algorithm, keyID: keyID, typ: typ, more: [])
        return try sign(encodedHeader: header, payload)
    }

    /// As ``sign(payload:typ:)``, with further header members, for example a DPoP `jwk`.
    package func sign(
        payload: [UInt8], typ: String, header more: [JSONObject.Member]
    ) throws(JOSEError) -> [UInt8] {
        try sign(
            encodedHeader: Self.header(algorithm, keyID: keyID, typ: typ, more: more), payload)
    }

    private func sign(
        encodedHeader: [UInt8], _ payload: [UInt8]
    ) throws(JOSEError) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(encodedHeader.count + payload.count * 4 / 3 + 352)
        output.append(contentsOf: encodedHeader)
        Base64URL.append(payload, to: &output)
        let signature: [UInt8]
        do {
            signature = try self.signature(over: output)
        } catch {
            throw JOSEError(.failure, "signing failed: \(error)")
        }
        output.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &output)
        return output
    }

    /// Returns the signature over `input`, for messages whose header the caller builds.
    package func signature(over input: [UInt8]) throws -> [UInt8] {
        KeyOperationCounter.current?.add(.signature)
        return switch key {
        case .p256(let key):
            try key.signature(for: SHA256.hash(data: input)).withUnsafeBytes { Array($0) }
        case .p384(let key):
            try key.signature(for: SHA384.hash(data: input)).withUnsafeBytes { Array($0) }
        case .p521(let key):
            try key.signature(for: SHA512.hash(data: input)).withUnsafeBytes { Array($0) }
        case .ed25519(let key): Array(try key.signature(for: input))
        case .rsa(let key): try rsaSignature(over: input, key)
        case .shared(let key):
            MessageAuthentication.tag(over: input, by: algorithm, key: key.reveal()) ?? []
        }
    }

    private func rsaSignature(
        over input: [UInt8], _ key: _RSA.Signing.PrivateKey
    ) throws -> [UInt8] {
        guard let padding = RSAPadding.padding(of: algorithm) else {
            throw JOSEError(.algorithmUnsupported, "not an RSA algorithm")
        }
        let signature =
            switch algorithm {
            case .rs384, .ps384:
                try key.signature(for: SHA384.hash(data: input), padding: padding)
            case .rs512, .ps512:
                try key.signature(for: SHA512.hash(data: input), padding: padding)
            default: try key.signature(for: SHA256.hash(data: input), padding: padding)
            }
        return signature.withUnsafeBytes { Array($0) }
    }

    private static func load(_ key: PrivateJWK) throws(JOSEError) -> Key {
        do {
            switch (key.publicKey.material, key.material) {
            case (.ellipticCurve(.p256, _, _), .scalar(let d)):
                return .p256(try .init(rawRepresentation: d.reveal()))
            case (.ellipticCurve(.p384, _, _), .scalar(let d)):
                return .p384(try .init(rawRepresentation: d.reveal()))
            case (.ellipticCurve(.p521, _, _), .scalar(let d)):
                return .p521(try .init(rawRepresentation: d.reveal()))
            case (.octetKeyPair(.ed25519, _), .scalar(let d)):
                return .ed25519(try .init(rawRepresentation: d.reveal()))
            case (.rsa(let n, let e), .rsa(let d, let p, let q)):
                return .rsa(
                    try .init(n: n, e: e, d: d.reveal(), p: p.reveal(), q: q.reveal()))
            default: break
            }
        } catch {
            throw JOSEError(.keyMalformed, "not a valid private key")
        }
        throw JOSEError(.keyMismatch, "the key cannot sign")
    }

    private static func prepare(
        _ algorithm: JWSAlgorithm, keyID: String?
    ) -> [String: [UInt8]] {
        var headers: [String: [UInt8]] = [:]
        for typ in usualTypes {
            headers[typ] = header(algorithm, keyID: keyID, typ: typ, more: [])
        }
        return headers
    }

    private static func header(
        _ algorithm: JWSAlgorithm, keyID: String?, typ: String, more: [JSONObject.Member]
    ) -> [UInt8] {
        var object = JSONObject([
            .init(name: "alg", value: .string(algorithm.rawValue)),
            .init(name: "typ", value: .string(typ)),
        ])
        if let keyID { object["kid"] = .string(keyID) }
        for member in more where object[member.name] == nil { object[member.name] = member.value }
        return Base64URL.encodeBytes(object.bytes) + [UInt8(ascii: ".")]
    }
}
