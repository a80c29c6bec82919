// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The protection of a key against people who have the device but not the PIN.
///
/// - In a TPM the PIN is the authorisation value of the key, salted: the TPM counts wrong PINs,
///   also of programs that use it without the agent.
/// - In a file the key is sealed under the PIN, stretched with Argon2id.
/// - On a token, whose PIN opens all of its keys, the agent uses the key only after the PIN has
///   opened a proof.
///
/// If the profile requires presence, the response of a security key to its touch is a part of the
/// PIN, or all of it.
package struct KeyProtection: Sendable, Equatable {
    /// For a TPM the salt, else a ``PassphraseKeyProtector``'s description.
    let description: [UInt8]
    /// On a token: the name of the key, sealed under the PIN.
    let proof: [UInt8]
    /// Whether the person types something of it.
    var asksPIN = true
    /// What has to be touched.
    var presence: PresenceCredential?

    var json: JSONValue {
        var object = JSONObject([
            .init(name: "description", value: .string(Base64URL.encode(description))),
            .init(name: "proof", value: .string(Base64URL.encode(proof))),
        ])
        if !asksPIN { object["asks_pin"] = false }
        object["presence"] = presence?.json
        return .object(object)
    }

    init(description: [UInt8], proof: [UInt8] = []) {
        self.description = description
        self.proof = proof
    }

    init(_ reader: JSONReader<JSONMemberError>) throws(JSONMemberError) {
        self.init(
            description: try reader.required("description", .base64url),
            proof: try reader.required("proof", .base64url))
        asksPIN = try reader.optional("asks_pin", .bool) ?? true
        presence = try reader.optionalObject("presence").map(PresenceCredential.init)
    }
}
