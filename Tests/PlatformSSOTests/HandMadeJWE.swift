// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
import Primitives

/// An answer as Apple's example has it, without `apv` in the header: no encrypter here writes that.
enum HandMadeJWE {
    static func seal(
        _ payload: [UInt8], epk: PublicJWK, apu: [UInt8], key: [UInt8]
    ) throws -> [UInt8] {
        let header: JSONValue = [
            "enc": "A256GCM", "epk": epk.json, "apu": .string(Base64URL.encode(apu)), "typ": "JWT",
            "alg": "ECDH-ES",
        ]
        let letters = Base64URL.encodeBytes(header.bytes)
        let box = try AES.GCM.seal(
            payload, using: SymmetricKey(data: key), authenticating: letters)
        var output = letters + [UInt8(ascii: ".")]
        for part in [Array(box.nonce), Array(box.ciphertext), Array(box.tag)] {
            output.append(UInt8(ascii: "."))
            Base64URL.append(part, to: &output)
        }
        return output
    }
}
