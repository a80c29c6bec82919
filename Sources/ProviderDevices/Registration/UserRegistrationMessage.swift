// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives

/// The unverified message that registers a person on a device.
struct UserRegistrationMessage: Sendable {
    /// The credential for the logins of the person.
    enum Credential: Sendable {
        /// A key in the device's hardware.
        case key(PublicJWK)
        /// A card with its certificates in DER, the certificate of the card first.
        case card([[UInt8]])
    }

    let credential: Credential
    /// The key ID in the message.
    let keyID: String?
    let deviceProof: PossessionProof
    let keyProof: PossessionProof
    let deviceKeyID: KeyIdentifier
    let refreshToken: Secret?
    /// The attestation of the key.
    let attestation: DeviceAttestation.Evidence?

    /// - Throws: a refusal with the code of the parse error.
    init(_ body: JSONObject) throws(PlatformSSORefusal) {
        let claims = MessageClaims(body)
        credential = try Self.credential(body)
        keyID = try claims.text("user_key_id")
        deviceProof = try PossessionProof(
            claims.requiredText("device_proof", maximumBytes: 8192), .user)
        keyProof = try PossessionProof(
            claims.requiredText("user_key_proof", maximumBytes: 8192), .user)
        guard let keyID = deviceProof.keyID else {
            throw PlatformSSORefusal(.keyIDMalformed, "device_proof has no kid")
        }
        deviceKeyID = keyID
        refreshToken = try claims.secret("refresh_token")
        let attested = body["attestation"]
        attestation =
            if let attested {
                try DeviceAttestation.Evidence(attested, of: "user_key")
            } else { nil }
    }

    private static func credential(
        _ body: JSONObject
    ) throws(PlatformSSORefusal) -> Credential {
        switch (body["user_key"], body["certificates"]) {
        case (let key?, nil): return .key(try DevicePublicKey.read(key))
        case (nil, let chain?):
            let member = JSONObject.Member(name: "x5c", value: chain)
            return .card(try CertificateChain.read(JSONObject([member])))
        case (nil, nil):
            throw PlatformSSORefusal(.claimMissing, "neither user_key nor certificates")
        case (.some, .some):
            throw PlatformSSORefusal(.claimMalformed, "both user_key and certificates")
        }
    }
}
