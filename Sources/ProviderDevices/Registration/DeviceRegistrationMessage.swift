// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import PlatformSSO
import Primitives
import Storage

/// The unverified message that registers a device.
package struct DeviceRegistrationMessage: Sendable {
    let signing: PublicJWK
    let encryption: PublicJWK
    let signingProof: PossessionProof
    let encryptionProof: [UInt8]
    /// A proof with an earlier key of the device.
    let previousKeyProof: PossessionProof?
    let token: String?
    let sharing: Device.Sharing
    /// The attestation of the keys.
    let attestation: DeviceAttestation.Evidence?
    let facts: DeviceAttributes

    /// - Throws: a refusal with the code of the parse error.
    package init(_ body: JSONObject) throws(PlatformSSORefusal) {
        let claims = MessageClaims(body)
        signing = try Self.key("device_signing_key", claims)
        encryption = try Self.key("device_encryption_key", claims)
        guard KeyIdentifier(signing) != KeyIdentifier(encryption) else {
            throw PlatformSSORefusal(.publicKeyMalformed, "one key for both uses")
        }
        // Extensions send key IDs that they computed. A wrong ID is refused and not corrected.
        for (name, key) in [("signing_key_id", signing), ("encryption_key_id", encryption)] {
            if let text = try claims.text(name) { _ = try KeyIdentifier.confirm(text, of: key) }
        }
        signingProof = try PossessionProof(
            claims.requiredText("signing_key_proof", maximumBytes: 8192), .device)
        encryptionProof = try claims.reader.required("encryption_key_proof", .base64(1...1024))
        let previous = try claims.text("previous_key_proof", maximumBytes: 8192)
        previousKeyProof =
            if let previous { try PossessionProof(previous, .device) } else { nil }
        token = try claims.text("registration_token", maximumBytes: 256)
        let isShared = try claims.reader.optional("shared_keys", .bool) ?? true
        sharing = isShared ? .shared : .perUser
        let attested = body["attestation"]
        attestation = if let attested { try DeviceAttestation.Evidence(attested) } else { nil }
        facts = try Self.facts(claims)
    }

    private static func key(
        _ name: String, _ claims: MessageClaims
    ) throws(PlatformSSORefusal) -> PublicJWK {
        try DevicePublicKey.read(claims.reader.required(name, .value))
    }

    private static func facts(
        _ claims: MessageClaims
    ) throws(PlatformSSORefusal) -> DeviceAttributes {
        func read(_ name: String) throws(PlatformSSORefusal) -> String {
            try claims.text(name, maximumBytes: 256) ?? ""
        }
        return DeviceAttributes(
            serial: try read("serial_number"), udid: try read("udid"), model: try read("model"),
            hostName: try read("host_name"), systemVersion: try read("system_version"))
    }
}
