// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// `gatehouse inspect jwe`: `{"jwe","jwk" or "jwks"}`.
package enum InspectJWE {
    package static func verdict(for input: JSONValue) -> JSONValue { verdict(input).json }

    private static func verdict(_ value: JSONValue) -> Verdict {
        guard let input = InspectionInput(value) else { return .badInput("not a JSON object") }
        do throws(JOSEError) {
            guard let keys = try input.keys() else {
                return .badInput("exactly one of jwk and jwks must be an object")
            }
            guard let jwe = try message(input["jwe"]) else {
                return .badInput("jwe is missing")
            }
            let decrypter = JWEDecrypter(
                key: try key(keys, for: jwe), algorithms: JWEAlgorithm.allCases)
            let decrypted = try decrypter.decrypt(jwe)
            return .accepted([
                "header": .object(decrypted.header.members),
                "plaintext": .string(Base64URL.encode(decrypted.plaintext)),
            ])
        } catch {
            return Verdict(error)
        }
    }

    /// Compact text, JSON text, or the JSON object itself.
    private static func message(_ value: JSONValue?) throws(JOSEError) -> UnverifiedJWE? {
        switch value {
        case .object(let object): try UnverifiedJWE(json: object.bytes)
        case .string(let text) where text.utf8.first == UInt8(ascii: "{"):
            try UnverifiedJWE(json: Array(text.utf8))
        case .string(let text): try UnverifiedJWE(compact: text)
        default: nil
        }
    }

    private static func key(
        _ keys: InspectionInput.Keys, for jwe: UnverifiedJWE
    ) throws(JOSEError) -> JSONWebKey {
        switch keys {
        case .one(let key): return key
        case .set(let set):
            let named = jwe.header.keyID.flatMap { set.key(id: $0) }
            guard let key = named ?? (set.keys.count == 1 ? set.keys.first : nil) else {
                throw JOSEError(.keyNotFound, "no key of the set has the kid of the message")
            }
            return key
        }
    }
}
