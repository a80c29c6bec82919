// SPDX-License-Identifier: Apache-2.0
import JOSE

/// Reads the members of an input object of `gatehouse inspect`.
struct InspectionInput {
    private let object: JSONObject

    init?(_ input: JSONValue) {
        guard let object = input.object else { return nil }
        self.object = object
    }

    subscript(name: String) -> JSONValue? { object[name] }

    /// The key or the keys, whichever the input names. Exactly one must be there.
    enum Keys {
        case one(JSONWebKey)
        case set(JWKSet)
    }

    func keys() throws(JOSEError) -> Keys? {
        switch (object["jwk"]?.object, object["jwks"]?.object) {
        case (let key?, nil): .one(try JSONWebKey(key))
        case (nil, let set?): .set(try JWKSet(set))
        default: nil
        }
    }
}

extension Verdict {
    init(_ error: JOSEError) {
        self = .refused(code: error.code.rawValue, reason: error.reason)
    }
}
