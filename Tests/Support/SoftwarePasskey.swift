// SPDX-License-Identifier: Apache-2.0
import Crypto
package import Primitives

/// A passkey in software: answers WebAuthn options as a browser with a platform authenticator
/// would. ES256 or a key that a test brings, attestation `none` or by a maker. For tests only.
package struct SoftwarePasskey: Sendable {
    package var credentialID: [UInt8]
    package var origin: String
    package var relyingPartyID: String
    /// UP, UV, BE, BS: what the authenticator says of itself. 0x05 is present and verified.
    package var flags: UInt8 = 0x05
    package var signCount: UInt32 = 0
    package var attachment = "platform"
    package var transports = ["internal"]
    package var aaguid = [UInt8](repeating: 0, count: 16)
    /// In place of the ES256 key: its `COSE_Key`, and how it signs.
    package var otherKey: (cose: [UInt8], sign: @Sendable ([UInt8]) throws -> [UInt8])?
    private let key: P256.Signing.PrivateKey

    package init(origin: String, relyingPartyID: String, random: some RandomSource) throws {
        self.origin = origin
        self.relyingPartyID = relyingPartyID
        credentialID = random.bytes(32)
        key = try P256.Signing.PrivateKey(rawRepresentation: [0x01] + random.bytes(31))
    }

    /// `RegistrationResponseJSON`.
    package func registration(challenge: String, type: String = "webauthn.create") -> String {
        let data = authenticatorData(flags: flags | 0x40) + attestedCredential
        return registration(
            clientData(type, challenge), data, format: "none", statement: [0xA0])
    }

    /// Returns the `RegistrationResponseJSON` of a key with an attestation.
    ///
    /// - Parameter statement: CBOR of a `packed` statement over the message.
    package func registration(
        challenge: String, packed statement: (_ message: [UInt8]) throws -> [UInt8]
    ) throws -> String {
        let data = authenticatorData(flags: flags | 0x40) + attestedCredential
        let client = clientData("webauthn.create", challenge)
        return registration(
            client, data, format: "packed",
            statement: try statement(data + Array(SHA256.hash(data: client))))
    }

    private func registration(
        _ clientData: [UInt8], _ data: [UInt8], format: String, statement: [UInt8]
    ) -> String {
        let length: [UInt8] =
            data.count < 0x100
            ? [0x58, UInt8(data.count)]
            : [0x59, UInt8(data.count >> 8), UInt8(data.count & 0xFF)]
        let object: [UInt8] =
            [0xA3, 0x63] + Array("fmt".utf8) + [0x60 | UInt8(format.utf8.count)]
            + Array(format.utf8) + [0x67] + Array("attStmt".utf8) + statement + [0x68]
            + Array("authData".utf8) + length + data
        return """
            {"id":"\(text(credentialID))","rawId":"\(text(credentialID))","type":"public-key",\
            "clientExtensionResults":{},"authenticatorAttachment":"\(attachment)","response":{\
            "clientDataJSON":"\(text(clientData))",\
            "attestationObject":"\(text(object))","transports":\(transports)}}
            """
    }

    /// `AuthenticationResponseJSON`.
    package func assertion(
        challenge: String, userHandle: [UInt8], type: String = "webauthn.get"
    ) throws -> String {
        let data = authenticatorData(flags: flags)
        let client = clientData(type, challenge)
        let message = data + Array(SHA256.hash(data: client))
        let signature =
            try otherKey?.sign(message)
            ?? Array(try key.signature(for: message).derRepresentation)
        return """
            {"id":"\(text(credentialID))","rawId":"\(text(credentialID))","type":"public-key",\
            "clientExtensionResults":{},"response":{\
            "clientDataJSON":"\(text(client))","authenticatorData":"\(text(data))",\
            "signature":"\(text(signature))",\
            "userHandle":"\(text(userHandle))"}}
            """
    }

    private func text(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes) }

    private func clientData(_ type: String, _ challenge: String) -> [UInt8] {
        Array(
            """
            {"type":"\(type)","challenge":"\(challenge)","origin":"\(origin)","crossOrigin":false}
            """.utf8)
    }

    private func authenticatorData(flags: UInt8) -> [UInt8] {
        Array(SHA256.hash(data: Array(relyingPartyID.utf8))) + [flags]
            + withUnsafeBytes(of: signCount.bigEndian) { Array($0) }
    }

    private var attestedCredential: [UInt8] {
        if let otherKey {
            return aaguid + [0, UInt8(credentialID.count)] + credentialID + otherKey.cose
        }
        let point = Array(key.publicKey.rawRepresentation)
        let cose: [UInt8] =
            [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point[..<32]
            + [0x22, 0x58, 0x20] + point[32...]
        return aaguid + [0, UInt8(credentialID.count)] + credentialID
            + cose
    }
}
