// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// `gatehouse inspect jwk`: `{"jwk"}`, or `{"jwks"}` for a whole set. Private parts are checked and
/// never printed.
package enum InspectJWK {
    package static func verdict(for input: JSONValue) -> JSONValue { verdict(input).json }

    private static func verdict(_ value: JSONValue) -> Verdict {
        guard let input = InspectionInput(value) else { return .badInput("not a JSON object") }
        do throws(JOSEError) {
            switch try input.keys() {
            case .one(let key): return .accepted(.object(describe(key)))
            case .set(let set):
                return .accepted(["keys": .array(set.keys.map { .object(describe($0)) })])
            case nil: return .badInput("exactly one of jwk and jwks must be an object")
            }
        } catch {
            return Verdict(error)
        }
    }

    private static func describe(_ key: JSONWebKey) -> JSONObject {
        var value = JSONObject()
        value["kty"] = .string(key.keyType)
        value["thumbprint"] = .string(
            key.publicKey?.thumbprintText ?? key.symmetricKey?.thumbprintText ?? "")
        value["kind"] = .string(kind(key))
        value["crv"] = key.publicKey?.json["crv"]
        value["kid"] = key.parameters.keyID.map(JSONValue.string)
        value["use"] = key.parameters.use.map(JSONValue.string)
        value["alg"] = key.parameters.algorithm.map(JSONValue.string)
        return value
    }

    private static func kind(_ key: JSONWebKey) -> String {
        switch key {
        case .publicKey: "public"
        case .privateKey: "private"
        case .symmetricKey: "symmetric"
        }
    }
}
