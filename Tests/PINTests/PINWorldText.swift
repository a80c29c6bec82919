// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import PIN
import Primitives

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
            Array("gatehouse/pin/1/\(label)".utf8), Array(binding.issuer.utf8), binding.keyID.bytes,
        ]
        return (head + fields).flatMap { number($0.count) + $0 }
    }

    /// Four bytes, most significant first.
    static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// Returns the Base64url payload of a sign-in by a party that has the secret.
    static func signInPayload(
        with secret: [UInt8], version: Int, _ nonce: PINNonce, _ binding: PINBinding
    ) throws -> [UInt8] {
        let message = transcript("proof/sign-in", binding, [number(version), nonce.bytes])
        let proof = HMAC<SHA256>.authenticationCode(
            for: message, using: SymmetricKey(data: secret))
        let text =
            #"{"aud":"\#(binding.issuer)","jti":"\#(nonce.text)","ver":\#(version),"#
            + #""proof":"\#(Base64URL.encode(Array(proof)))"}"#
        return Base64URL.encodeBytes(Array(text.utf8))
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
    /// Returns the current secret of a record, as read by a party that has the protector's key.
    func secret(of record: PINRecord?) -> [UInt8]? {
        guard let record,
            let object = try? JSONParser.parseObject(record.json, maximumBytes: 65_536),
            let text = object["current"]?["sealed"]?.string, let sealed = Base64URL.decode(text),
            let end = sealed.firstIndex(of: 0)
        else { return nil }
        return sealed[(end + 1)...].map { $0 ^ 0xA5 }
    }
}
