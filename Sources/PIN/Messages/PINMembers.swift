// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A reader of the payload of a signed message with exactly the required members, each of its type.
/// An unknown member is refused.
struct PINMembers {
    private let object: JSONObject

    /// Returns `nil` if the bytes are not a JSON object, or have other members than `required` and,
    /// all or none, `optional`.
    init?(_ payload: [UInt8], required: [String], allOrNone optional: [String] = []) {
        guard
            let object = try? JSONParser.parseObject(
                payload, maximumBytes: PINMessageType.maximumBytes, maximumDepth: 1)
        else { return nil }
        let names = Set(object.names)
        guard names == Set(required) || names == Set(required + optional) else { return nil }
        self.object = object
    }

    func has(_ name: String) -> Bool { object[name] != nil }

    func text(_ name: String) -> String? { object[name]?.string }

    /// Returns a Base64url value of `count` bytes.
    func bytes(_ name: String, count: Int) -> [UInt8]? {
        bytes(name).flatMap { $0.count == count ? $0 : nil }
    }

    /// Returns a Base64url value of any length. The message bounds it.
    func bytes(_ name: String) -> [UInt8]? { text(name).flatMap { Base64URL.decode($0) } }

    /// Returns what HPKE has sealed in version 2: a secret or a proof.
    func box() -> PINSecretBox? {
        guard let key = bytes("enc", count: PINSecretBox.encapsulatedKeyLength),
            let ciphertext = bytes("ct", count: PINSecretBox.ciphertextLength)
        else { return nil }
        return PINSecretBox(encapsulatedKey: key, ciphertext: ciphertext)
    }

    /// Reads the number of a secret. Zero means "none", where that is allowed.
    func version(_ name: String = "ver", noneAllowed: Bool = false) -> UInt32? {
        guard let number = object[name]?.integer.flatMap(UInt32.init(exactly:)),
            noneAllowed || number > 0
        else { return nil }
        return number
    }

    func nonce(_ name: String) -> PINNonce? { text(name).flatMap { PINNonce(text: $0) } }

    func time(_ name: String) -> Timestamp? { object[name].flatMap { Timestamp(numericDate: $0) } }
}
