// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// What stands between a key and whoever has the machine but not the PIN.
///
/// - In a TPM the PIN is the key's own authorisation, salted: the TPM counts wrong ones, also for
///   somebody who speaks to it without the agent.
/// - In a file the key is sealed under the PIN, stretched with Argon2id.
/// - On a token, whose own PIN opens all of its keys, the agent holds the key back until the PIN opens
///   a proof.
package struct KeyGuard: Sendable, Equatable {
    /// For a TPM the salt, else a ``PassphraseVault``'s description.
    let description: [UInt8]
    /// On a token: the name of the key, sealed under the PIN.
    let proof: [UInt8]

    var json: JSONValue {
        [
            "description": .string(Base64URL.encode(description)),
            "proof": .string(Base64URL.encode(proof)),
        ]
    }

    init(description: [UInt8], proof: [UInt8] = []) {
        self.description = description
        self.proof = proof
    }

    init?(_ value: JSONValue) {
        guard let description = value["description"]?.string.flatMap({ Base64URL.decode($0) }),
            let proof = value["proof"]?.string.flatMap({ Base64URL.decode($0) })
        else { return nil }
        self.init(description: description, proof: proof)
    }
}
