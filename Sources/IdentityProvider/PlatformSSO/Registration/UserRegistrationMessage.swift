// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives

/// What a machine posts to register one person's key, read and not judged.
struct UserRegistrationMessage: Sendable {
    /// What the person will sign in with.
    enum Credential: Sendable {
        /// A key that the machine's hardware holds.
        case key(PublicJWK)
        /// A card, by its certificates in DER, its own first.
        case card([[UInt8]])
    }

    let credential: Credential
    /// The name that the key is said to have.
    let keyID: String?
    let deviceProof: PossessionProof
    let keyProof: PossessionProof
    let deviceKeyID: KeyIdentifier
    let refreshToken: Secret?
    /// What hardware says of the key.
    let attestation: DeviceAttestation.Evidence?

    /// - Throws: anything that makes it unreadable, by its code.
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
