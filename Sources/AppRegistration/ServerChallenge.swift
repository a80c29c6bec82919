// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A nonce of the provider and its context: the response of the challenge endpoints, and the member
/// `next` of other responses.
package struct ServerChallenge: Sendable, Equatable {
    /// The single-use nonce, used as text.
    package var nonce: String
    /// The `aud` of the signed response.
    package var audience: String
    /// Seconds.
    package var lifetime: Int64
    /// The project's PIN settings: `use` (`optional` or `required`), `policy` and `attempts`. `nil`
    /// if there are none, and in challenges with which a PIN cannot be set.
    package var pin: JSONObject?

    package init(nonce: String, audience: String, lifetime: Int64, pin: JSONObject? = nil) {
        self.nonce = nonce
        self.audience = audience
        self.lifetime = lifetime
        self.pin = pin
    }

    package var json: [UInt8] { object.bytes }

    package var object: JSONObject {
        var body = JSONObject()
        body["nonce"] = .string(nonce)
        body["audience"] = .string(audience)
        body["expires_in"] = .integer(lifetime)
        body["pin"] = pin.map(JSONValue.object)
        return body
    }

    /// Returns `nil` if a member is missing or of another type.
    package init?(_ body: JSONObject) {
        guard let nonce = body["nonce"]?.string, let audience = body["audience"]?.string,
            let lifetime = body["expires_in"]?.integer
        else { return nil }
        self.init(nonce: nonce, audience: audience, lifetime: lifetime, pin: body["pin"]?.object)
    }
}
