// SPDX-License-Identifier: Apache-2.0
import JOSE
package import PasswordHashing
import Primitives

/// A PIN secret as the device keeps it: sealed under the PIN, and that under the sealing key.
///
/// Nothing in it tells whether a PIN is right, and nothing may be added that does: no tag, no
/// check digit, no mark inside.
package struct SealedPINSecret: Sendable, Equatable {
    static let saltLength = 16
    static let initialCounterLength = 16
    /// Longest box of a sealing key. Ours add tens of bytes; RSA-based ones some hundreds.
    static let greatestBoxLength = 2_048

    package let version: UInt32
    /// What a key was derived with when this was sealed; kept, so that changing the usual costs
    /// locks nobody out.
    package let parameters: Argon2Parameters
    let salt: [UInt8]
    let initialCounter: [UInt8]
    let box: [UInt8]

    /// What the sealing key binds the box to: everything beside it.
    func context(_ binding: PINBinding) -> [UInt8] {
        Self.context(binding, version, parameters, salt: salt, initialCounter: initialCounter)
    }

    static func context(
        _ binding: PINBinding, _ version: UInt32, _ parameters: Argon2Parameters, salt: [UInt8],
        initialCounter: [UInt8]
    ) -> [UInt8] {
        var transcript = PINTranscript(.sealed, binding)
        transcript.append(version)
        transcript.append(parameters.memory)
        transcript.append(parameters.iterations)
        transcript.append(parameters.lanes)
        transcript.append(salt)
        transcript.append(initialCounter)
        return transcript.bytes
    }
}

extension SealedPINSecret {
    var json: JSONValue {
        [
            "ver": .integer(Int64(version)), "memory": .integer(Int64(parameters.memory)),
            "iterations": .integer(Int64(parameters.iterations)),
            "lanes": .integer(Int64(parameters.lanes)), "salt": .string(Base64URL.encode(salt)),
            "counter": .string(Base64URL.encode(initialCounter)),
            "box": .string(Base64URL.encode(box)),
        ]
    }

    /// `nil` for what ``json`` cannot have written, and for costs that no device would bear.
    init?(_ value: JSONValue) {
        func number(_ name: String) -> UInt32? {
            value[name]?.integer.flatMap(UInt32.init(exactly:))
        }
        func bytes(_ name: String) -> [UInt8]? {
            value[name]?.string.flatMap { Base64URL.decode($0) }
        }
        guard let version = number("ver"), version > 0, let memory = number("memory"),
            let iterations = number("iterations"), let lanes = number("lanes"),
            let salt = bytes("salt"), salt.count == Self.saltLength,
            let counter = bytes("counter"), counter.count == Self.initialCounterLength,
            let box = bytes("box"), box.count <= Self.greatestBoxLength
        else { return nil }
        let parameters = Argon2Parameters(memory: memory, iterations: iterations, lanes: lanes)
        guard parameters.isReasonable else { return nil }
        self.init(
            version: version, parameters: parameters, salt: salt, initialCounter: counter, box: box)
    }
}
