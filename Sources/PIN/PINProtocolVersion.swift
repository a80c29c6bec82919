// SPDX-License-Identifier: Apache-2.0

/// The version of the protocol that a message or a sealed secret follows (docs/protocols/pin.md).
///
/// A message has exactly one version: its `typ`, its transcripts and the kind of its transport key
/// all belong to it. Devices write version 2 only; the provider also reads version 1.
package enum PINProtocolVersion: Int, Sendable, CaseIterable {
    /// X25519, Argon2id, proofs without encryption.
    case one = 1
    /// P-256, PBKDF2, proofs that are sealed to the provider.
    case two = 2

    /// The prefix of `typ`.
    var typePrefix: String {
        switch self {
        case .one: "gatehouse-pin-"
        case .two: "gatehouse-pin2-"
        }
    }
}
