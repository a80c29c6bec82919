// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PIN
import Primitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a thief writes by hand, from the description of the bytes and not with the code under test.
enum PINWorldText {
    /// A base64url text with one string in it replaced by another.
    static func replacing(_ old: String, by new: String, in letters: [UInt8]) -> [UInt8]? {
        guard
            let text = Base64URL.decode(bytes: letters).map({ String(decoding: $0, as: UTF8.self) })
        else { return nil }
        return Base64URL.encodeBytes(
            Array(
                text.split(separator: old, omittingEmptySubsequences: false)
                    .joined(separator: new).utf8))
    }

    /// The transcript of docs/protocols/pin.md, "Bytes".
    static func transcript(_ label: String, _ binding: PINBinding, _ fields: [[UInt8]]) -> [UInt8] {
        let head = [
            Array("gatehouse/pin/2/\(label)".utf8), Array(binding.issuer.utf8), binding.keyID.bytes,
        ]
        return (head + fields).flatMap { number($0.count) + $0 }
    }

    /// Four bytes, most significant first.
    static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// The proof of a sign-in by a party that has the secret.
    static func signInProof(
        with secret: [UInt8], version: Int, _ nonce: PINNonce, _ binding: PINBinding
    ) -> [UInt8] {
        let message = transcript("proof/sign-in", binding, [number(version), nonce.bytes])
        return Array(
            HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: secret)))
    }

    /// Opens what a device has sealed to the provider, with the provider's private key.
    static func openProof(
        _ payload: JSONObject, with scalar: [UInt8], _ nonce: PINNonce, _ binding: PINBinding
    ) throws -> [UInt8] {
        let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: scalar)
        func bytes(_ name: String) -> [UInt8] {
            payload[name]?.string.flatMap { Base64URL.decode($0) } ?? []
        }
        let version = Int(payload["ver"]?.integer ?? 0)
        let info = transcript("proof/sealed", binding, [number(version), nonce.bytes])
        var recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: .P256_SHA256_AES_GCM_256, info: Data(info),
            encapsulatedKey: Data(bytes("enc")))
        return try Array(
            recipient.open(
                bytes("ct"), authenticating: Array(key.publicKey.x963Representation)))
    }

    /// The second record with the sealed secret of the first.
    static func moving(secretOf first: PINRecord, to second: PINRecord) -> PINRecord? {
        guard let from = try? JSONParser.parseObject(first.json, maximumBytes: 65_536),
            var to = try? JSONParser.parseObject(second.json, maximumBytes: 65_536)
        else { return nil }
        to["current"] = from["current"]
        return PINRecord(json: to.bytes, revision: second.revision)
    }
}

extension TestVault {
    /// Returns the current or offered secret of a record, as read by a party that has the
    /// protector's key.
    func secret(of record: PINRecord?, isOffered: Bool = false) -> [UInt8]? {
        guard let record,
            let object = try? JSONParser.parseObject(record.json, maximumBytes: 65_536),
            let secret = isOffered ? object["offered"]?["secret"] : object["current"],
            let text = secret["sealed"]?.string, let sealed = Base64URL.decode(text),
            let end = sealed.firstIndex(of: 0)
        else { return nil }
        return sealed[(end + 1)...].map { $0 ^ 0xA5 }
    }
}
