// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// `gatehouse inspect jws`: `{"jws","jwk" or "jwks","alg"?}`.
package enum InspectJWS {
    package static func verdict(for input: JSONValue) -> JSONValue { verdict(input).json }

    private static func verdict(_ value: JSONValue) -> Verdict {
        guard let input = InspectionInput(value) else { return .badInput("not a JSON object") }
        do throws(JOSEError) {
            guard let keys = try input.keys() else {
                return .badInput("exactly one of jwk and jwks must be an object")
            }
            guard let jws = try message(input["jws"]) else {
                return .badInput("jws is missing")
            }
            let verifier = try verifier(keys, pinned: input["alg"])
            let verified = try verifier.verify(jws)
            return .accepted([
                "header": .object(verified.header.members),
                "payload": .string(Base64URL.encode(verified.payload)),
            ])
        } catch {
            return Verdict(error)
        }
    }

    /// Compact text, JSON text, or the JSON object itself.
    private static func message(_ value: JSONValue?) throws(JOSEError) -> UnverifiedJWS? {
        switch value {
        case .object(let object): try UnverifiedJWS(json: object.bytes)
        case .string(let text) where text.utf8.first == UInt8(ascii: "{"):
            try UnverifiedJWS(json: Array(text.utf8))
        case .string(let text): try UnverifiedJWS(compact: text)
        default: nil
        }
    }

    /// Without `alg`, whatever fits the key is allowed: nobody is let in by an inspection.
    private static func verifier(
        _ keys: InspectionInput.Keys, pinned: JSONValue?
    ) throws(JOSEError) -> JWSVerifier {
        var algorithms = JWSAlgorithm.allCases
        if let pinned {
            guard let algorithm = pinned.string.flatMap({ JWSAlgorithm(exactly: $0) }) else {
                throw JOSEError(.algorithmUnsupported, "alg is no signature algorithm here")
            }
            algorithms = [algorithm]
        }
        return switch keys {
        case .one(let key):
            JWSVerifier(key: key, algorithms: algorithms, rule: .noWeakerHash)
        case .set(let set):
            JWSVerifier(keys: set, algorithms: algorithms, rule: .noWeakerHash)
        }
    }
}
