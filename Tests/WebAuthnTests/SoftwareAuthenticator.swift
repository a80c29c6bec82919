// SPDX-License-Identifier: Apache-2.0
import CBOR
import Crypto
import JOSE
import Primitives

/// A browser and an authenticator with one P-256 key, in software.
///
/// ``registration(challenge:origin:)`` and ``assertion(challenge:origin:)`` make whole responses.
/// The parts they are made of can be had one by one, to be spoilt and put together again.
struct SoftwareAuthenticator: Sendable {
    var rpId: String
    /// The `user.id` of the options; returned as `userHandle`.
    var userHandle: [UInt8]
    var credentialId: [UInt8]
    var aaguid = [UInt8](repeating: 0, count: 16)
    /// UP, UV, BE, BS of every answer (section 6.1 of WebAuthn).
    var flags: UInt8 = 0b0001_1101
    /// The counter of the last assertion; 0 stays 0 when ``counts`` is false.
    var signCount: UInt32 = 0
    var counts = true
    let key: P256.Signing.PrivateKey

    init(rpId: String, userHandle: [UInt8], random: some RandomSource) {
        self.rpId = rpId
        self.userHandle = userHandle
        credentialId = random.bytes(32)
        // One draw in 2^32 lies outside the group's order; then the library draws.
        let drawn = try? P256.Signing.PrivateKey(rawRepresentation: random.bytes(32))
        key = drawn ?? P256.Signing.PrivateKey()
    }

    // MARK: Whole responses

    /// `RegistrationResponseJSON` without attestation.
    func registration(challenge: [UInt8], origin: String) -> JSONValue {
        let clientData = Self.clientData(
            type: "webauthn.create", challenge: challenge, origin: origin)
        return registration(
            clientData: clientData,
            attestationObject: attestationObject(authenticatorData: attestedAuthenticatorData()))
    }

    /// `AuthenticationResponseJSON`; raises the counter.
    mutating func assertion(challenge: [UInt8], origin: String) throws -> JSONValue {
        if counts { signCount += 1 }
        let clientData = Self.clientData(
            type: "webauthn.get", challenge: challenge, origin: origin)
        return try assertion(clientData: clientData, authenticatorData: authenticatorData())
    }

    // MARK: Parts

    /// `clientDataJSON`, spelled as section 5.8.1.1 serialises it.
    static func clientData(
        type: String, challenge: [UInt8], origin: String, crossOrigin: Bool = false,
        topOrigin: String? = nil
    ) -> [UInt8] {
        var object: JSONObject = JSONObject()
        object["type"] = .string(type)
        object["challenge"] = .string(Base64URL.encode(challenge))
        object["origin"] = .string(origin)
        object["crossOrigin"] = .bool(crossOrigin)
        if let topOrigin { object["topOrigin"] = .string(topOrigin) }
        return object.bytes
    }

    /// Authenticator data without a credential.
    func authenticatorData() -> [UInt8] {
        Array(SHA256.hash(data: Array(rpId.utf8))) + [flags] + Self.bigEndian(signCount)
    }

    /// Authenticator data with this credential and its key.
    func attestedAuthenticatorData() -> [UInt8] {
        var data = authenticatorData()
        data[32] |= 0x40
        data += aaguid
        data += [UInt8(credentialId.count >> 8), UInt8(credentialId.count & 0xFF)]
        return data + credentialId + coseKey
    }

    /// The same with another public key in COSE form.
    func attestedAuthenticatorData(coseKey other: [UInt8]) -> [UInt8] {
        attestedAuthenticatorData().dropLast(coseKey.count) + other
    }

    /// The public key in COSE form.
    var coseKey: [UInt8] {
        let point = Array(key.publicKey.rawRepresentation)
        return CBORValue.map([
            CBOREntry(.integer(1), .integer(2)), CBOREntry(.integer(3), .integer(-7)),
            CBOREntry(.integer(-1), .integer(1)), CBOREntry(.integer(-2), .bytes(point.prefix(32))),
            CBOREntry(.integer(-3), .bytes(point.suffix(32))),
        ]).encoded(ordering: .ctap2)
    }

    /// An attestation object of any format.
    func attestationObject(
        authenticatorData: [UInt8], format: String = "none", statement: [CBOREntry] = []
    ) -> [UInt8] {
        CBORValue.map([
            CBOREntry(.text("fmt"), .text(format)),
            CBOREntry(.text("attStmt"), .map(statement)),
            CBOREntry(.text("authData"), .byteString(authenticatorData)),
        ]).encoded(ordering: .ctap2)
    }

    /// This key's signature over authenticator data and client data, as DER.
    func sign(authenticatorData: [UInt8], clientData: [UInt8]) throws -> [UInt8] {
        let message = authenticatorData + Array(SHA256.hash(data: clientData))
        return Array(try key.signature(for: message).derRepresentation)
    }

    /// `RegistrationResponseJSON` of the given parts.
    func registration(clientData: [UInt8], attestationObject: [UInt8]) -> JSONValue {
        response([
            "clientDataJSON": .string(Base64URL.encode(clientData)),
            "attestationObject": .string(Base64URL.encode(attestationObject)),
            "transports": ["internal", "hybrid"],
        ])
    }

    /// `AuthenticationResponseJSON` of the given parts, signed.
    func assertion(
        clientData: [UInt8], authenticatorData: [UInt8]
    ) throws -> JSONValue {
        let signature = try sign(authenticatorData: authenticatorData, clientData: clientData)
        return response([
            "clientDataJSON": .string(Base64URL.encode(clientData)),
            "authenticatorData": .string(Base64URL.encode(authenticatorData)),
            "signature": .string(Base64URL.encode(signature)),
            "userHandle": .string(Base64URL.encode(userHandle)),
        ])
    }

    private func response(_ response: JSONValue) -> JSONValue {
        let id = JSONValue.string(Base64URL.encode(credentialId))
        return [
            "id": id, "rawId": id, "type": "public-key", "response": response,
            "authenticatorAttachment": "platform", "clientExtensionResults": [:],
        ]
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - $0 * 8)) }
    }
}
