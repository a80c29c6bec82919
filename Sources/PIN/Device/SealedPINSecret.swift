// SPDX-License-Identifier: Apache-2.0
import JOSE
package import PasswordHashing
import Primitives

/// A PIN secret as the device stores it: sealed under the PIN, and then under the sealing key.
///
/// It does not reveal whether a PIN is correct. Nothing may be added that does: no tag, check digit
/// or marker.
package struct SealedPINSecret: Sendable, Equatable {
    static let saltLength = 16
    static let initialCounterLength = 16
    /// The maximum size of a sealing key's result. Software keys add tens of bytes; RSA keys some
    /// hundreds.
    static let greatestBoxLength = 2_048

    package let version: UInt32
    /// The key derivation parameters of this secret, stored so that a change of the defaults does
    /// not affect it.
    package let parameters: Argon2Parameters
    let salt: [UInt8]
    let initialCounter: [UInt8]
    let box: [UInt8]

    /// Returns the additional data that the sealing key authenticates: all other fields.
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

    /// Returns `nil` for data that ``json`` cannot have written, and for unreasonable costs.
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
