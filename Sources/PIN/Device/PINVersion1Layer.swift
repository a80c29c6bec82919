// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import JOSE
import Primitives

/// What opens the secrets that version 1 sealed: Argon2id (RFC 9106). The target `PINVersion1` has it;
/// an app without it opens none of them.
package protocol PINVersion1Stretching: Sendable {
    /// Returns 32 bytes; `nil` if there is too little memory. Called on a thread that may be busy
    /// for a while.
    func key(of digits: [UInt8], salt: [UInt8], costs: PINVersion1Costs) -> [UInt8]?
}

/// The Argon2id parameters of a secret that version 1 sealed.
package struct PINVersion1Costs: Sendable, Equatable {
    /// In KiB.
    package let memory: UInt32
    package let iterations: UInt32
    package let lanes: UInt32

    /// Returns `nil` for costs that version 1 did not accept either: above 256 MiB, 32 passes or 16
    /// lanes, or more than two seconds of work.
    package init?(memory: UInt32, iterations: UInt32, lanes: UInt32) {
        guard (1...32).contains(iterations), (1...16).contains(lanes), memory >= 8 * lanes,
            memory <= 262_144, UInt64(memory) * UInt64(iterations) <= 2_097_152
        else { return nil }
        (self.memory, self.iterations, self.lanes) = (memory, iterations, lanes)
    }
}

/// The inner layer of version 1: AES-256-CTR under the key from the PIN. It is read only; nothing
/// is sealed in it any more.
struct PINVersion1Layer: Sendable, Equatable {
    static let saltLength = 16
    static let initialCounterLength = 16

    let costs: PINVersion1Costs
    let salt: [UInt8]
    let initialCounter: [UInt8]

    /// The fields that the sealing key binds, after the number of the secret.
    func append(to transcript: inout PINTranscript) {
        transcript.append(costs.memory)
        transcript.append(costs.iterations)
        transcript.append(costs.lanes)
        transcript.append(salt)
        transcript.append(initialCounter)
    }

    func open(
        _ bytes: WipedBytes, _ digits: WipedBytes, with stretching: any PINVersion1Stretching
    ) async throws(PINSealingError) -> WipedBytes {
        let layer = self
        let result = await PINStretching.computing { () -> WipedBytes? in
            digits.withBytes {
                stretching.key(of: $0, salt: layer.salt, costs: layer.costs)
            }.flatMap { layer.counterMode(bytes, key: WipedBytes($0)) }
        }
        guard let result else { throw .derivation }
        return result
    }

    private func counterMode(_ bytes: WipedBytes, key: WipedBytes) -> WipedBytes? {
        let output = key.withBytes { key in
            bytes.withBytes { bytes in
                try? Array(
                    AES._CTR.decrypt(
                        bytes, using: SymmetricKey(data: key),
                        nonce: AES._CTR.Nonce(nonceBytes: initialCounter)))
            }
        }
        return output.map { WipedBytes($0) }
    }
}

extension PINVersion1Layer {
    static let members: Set<String> = [
        "ver", "memory", "iterations", "lanes", "salt", "counter", "box",
    ]

    var json: [JSONObject.Member] {
        [
            .init(name: "memory", value: .integer(Int64(costs.memory))),
            .init(name: "iterations", value: .integer(Int64(costs.iterations))),
            .init(name: "lanes", value: .integer(Int64(costs.lanes))),
            .init(name: "salt", value: .string(Base64URL.encode(salt))),
            .init(name: "counter", value: .string(Base64URL.encode(initialCounter))),
        ]
    }

    init?(_ object: JSONObject) {
        func number(_ name: String) -> UInt32? {
            object[name]?.integer.flatMap(UInt32.init(exactly:))
        }
        func bytes(_ name: String, _ count: Int) -> [UInt8]? {
            let bytes = object[name]?.string.flatMap { Base64URL.decode($0) }
            return bytes?.count == count ? bytes : nil
        }
        guard let memory = number("memory"), let iterations = number("iterations"),
            let lanes = number("lanes"),
            let costs = PINVersion1Costs(memory: memory, iterations: iterations, lanes: lanes),
            let salt = bytes("salt", Self.saltLength),
            let counter = bytes("counter", Self.initialCounterLength)
        else { return nil }
        self.init(costs: costs, salt: salt, initialCounter: counter)
    }
}
