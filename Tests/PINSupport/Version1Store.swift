// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import JOSE
package import PIN
import PasswordHashing
package import Primitives

/// What an app with an SDK before version 2 of the protocol has stored: AES-256-CTR under Argon2id,
/// sealed by the sealing key.
package enum Version1Store {
    /// The least that Argon2id takes, so that tests are quick.
    private static let costs = Argon2Parameters(memory: 8, iterations: 1, lanes: 1)

    /// - Parameter isOffered: Whether the app ended before the commit.
    package static func state(
        _ secret: Version1Secret, under pin: String, of binding: PINBinding,
        sealedBy key: any PINSealingKey, isOffered: Bool = false, random: some RandomSource
    ) async throws -> [UInt8] {
        let (salt, counter) = (random.bytes(16), random.bytes(16))
        let derived = try Argon2.tag(
            password: Array(pin.utf8), salt: salt, parameters: costs, length: 32)
        let inner = try AES._CTR.encrypt(
            secret.bytes, using: SymmetricKey(data: derived),
            nonce: AES._CTR.Nonce(nonceBytes: counter))
        let context = Version1Device.transcript(
            "sealed", binding,
            [secret.version, Int(costs.memory), Int(costs.iterations), Int(costs.lanes)].map(
                Version1Device.number) + [salt, counter])
        let box = try await key.seal(Array(inner), context: context)
        let sealed: JSONValue = [
            "ver": .integer(Int64(secret.version)), "memory": .integer(Int64(costs.memory)),
            "iterations": .integer(Int64(costs.iterations)),
            "lanes": .integer(Int64(costs.lanes)), "salt": .string(Base64URL.encode(salt)),
            "counter": .string(Base64URL.encode(counter)), "box": .string(Base64URL.encode(box)),
        ]
        var object = JSONObject()
        object["format"] = 1
        object["iss"] = .string(binding.issuer)
        object["kid"] = .string(binding.keyID.text)
        object[isOffered ? "offered" : "current"] = sealed
        return object.bytes
    }
}
