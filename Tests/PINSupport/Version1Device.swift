// SPDX-License-Identifier: Apache-2.0
package import Crypto
package import JOSE
package import PIN
import Primitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A secret that a device of version 1 has in memory.
package struct Version1Secret: Sendable, Equatable {
    package let version: Int
    package let bytes: [UInt8]

    package init(version: Int, bytes: [UInt8]) {
        self.version = version
        self.bytes = bytes
    }
}

/// An app with an SDK before version 2 of the protocol, written from docs/protocols/pin.md and not
/// with the code under test.
package struct Version1Device: Sendable {
    package let key: any PINDeviceKey
    package let binding: PINBinding
    private let algorithm: String

    package init(issuer: String, key: any PINDeviceKey) {
        self.key = key
        binding = PINBinding(issuer: issuer, keyID: PINKeyID(key.publicKey))
        algorithm = PINDeviceAlgorithm.pinned(for: key.publicKey)?.rawValue ?? ""
    }

    // MARK: Requests

    package func firstOffer(
        to transport: [UInt8], nonce: PINNonce
    ) async throws -> [UInt8] {
        try await message(
            "gatehouse-pin-offer+jwt", nonce, #""transport_key":"\#(Base64URL.encode(transport))""#)
    }

    package func nextOffer(
        to transport: [UInt8], proving secret: Version1Secret, nonce: PINNonce
    ) async throws -> [UInt8] {
        let proof = proof("proof/change", secret, nonce, more: [transport])
        return try await message(
            "gatehouse-pin-offer+jwt", nonce,
            #""transport_key":"\#(Base64URL.encode(transport))",\#(proof)"#)
    }

    package func signIn(with secret: Version1Secret, nonce: PINNonce) async throws -> [UInt8] {
        try await message(
            "gatehouse-pin-sign-in+jwt", nonce, proof("proof/sign-in", secret, nonce))
    }

    package func commit(_ secret: Version1Secret, nonce: PINNonce) async throws -> [UInt8] {
        try await message("gatehouse-pin-commit+jwt", nonce, proof("proof/commit", secret, nonce))
    }

    package func resolve(_ version: Int, nonce: PINNonce) async throws -> [UInt8] {
        try await message("gatehouse-pin-resolve+jwt", nonce, #""ver":\#(version)"#)
    }

    /// A message of any type with the members after `aud` and `jti`, rightly signed.
    package func message(
        _ type: String, _ nonce: PINNonce, _ members: String
    ) async throws -> [UInt8] {
        let header = #"{"alg":"\#(algorithm)","kid":"\#(binding.keyID.text)","typ":"\#(type)"}"#
        let payload = #"{"aud":"\#(binding.issuer)","jti":"\#(nonce.text)",\#(members)}"#
        let input =
            Base64URL.encodeBytes(Array(header.utf8)) + [0x2E]
            + Base64URL.encodeBytes(Array(payload.utf8))
        return try await input + [0x2E] + Base64URL.encodeBytes(key.signature(over: input))
    }

    private func proof(
        _ label: String, _ secret: Version1Secret, _ nonce: PINNonce, more: [[UInt8]] = []
    ) -> String {
        let message = Self.transcript(
            label, binding, [Self.number(secret.version), nonce.bytes] + more)
        let tag = HMAC<SHA256>.authenticationCode(
            for: message, using: SymmetricKey(data: secret.bytes))
        return #""ver":\#(secret.version),"proof":"\#(Base64URL.encode(Array(tag)))""#
    }

    // MARK: Statements

    /// The payload of a statement of that type, if one of the keys signed it.
    package static func payload(
        of statement: [UInt8], type: String, keys: JWKSet
    ) throws -> JSONObject? {
        let jws = try JWSVerifier(keys: keys, algorithms: [.es256]).verify(
            compact: statement, maximumBytes: 4_096)
        guard jws.header.type == "gatehouse-pin-\(type)+jwt" else { return nil }
        return try JSONParser.parseObject(jws.payload, maximumBytes: 4_096)
    }

    /// Opens a delivery.
    package func open(
        _ delivery: JSONObject, with key: Curve25519.KeyAgreement.PrivateKey
    ) throws -> Version1Secret? {
        guard let version = delivery["ver"]?.integer.flatMap(Int.init(exactly:)),
            let enc = delivery["enc"]?.string.flatMap({ Base64URL.decode($0) }),
            let ciphertext = delivery["ct"]?.string.flatMap({ Base64URL.decode($0) })
        else { return nil }
        let info = Self.transcript("delivery", binding, [Self.number(version)])
        var recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: .Curve25519_SHA256_ChachaPoly, info: Data(info),
            encapsulatedKey: Data(enc))
        let secret = try recipient.open(
            ciphertext, authenticating: Array(key.publicKey.rawRepresentation))
        return Version1Secret(version: version, bytes: Array(secret))
    }

    // MARK: Bytes

    /// The transcript of docs/protocols/pin.md, "Bytes", in version 1.
    package static func transcript(
        _ label: String, _ binding: PINBinding, _ fields: [[UInt8]]
    ) -> [UInt8] {
        let head = [
            Array("gatehouse/pin/1/\(label)".utf8), Array(binding.issuer.utf8),
            binding.keyID.bytes,
        ]
        return (head + fields).flatMap { number($0.count) + $0 }
    }

    /// Four bytes, most significant first.
    package static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
