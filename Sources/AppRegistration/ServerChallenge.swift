// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A nonce of the provider, and what belongs to it: the answer of both challenge endpoints.
package struct ServerChallenge: Sendable, Equatable {
    /// To be used once, as the letters that it is.
    package var nonce: String
    /// `aud` of what is signed for it.
    package var audience: String
    /// Seconds.
    package var lifetime: Int64
    /// What the project asks of PINs: `use` (`optional` or `required`), `policy` and `attempts`.
    /// `nil` where there are none, and in challenges that no PIN can be set with.
    package var pin: JSONObject?

    package init(nonce: String, audience: String, lifetime: Int64, pin: JSONObject? = nil) {
        self.nonce = nonce
        self.audience = audience
        self.lifetime = lifetime
        self.pin = pin
    }

    package var json: [UInt8] {
        var body = JSONWriter(capacity: 256)
        body.member("nonce", nonce)
        body.member("audience", audience)
        body.member("expires_in", lifetime)
        if let pin { body.member("pin", .object(pin)) }
        return body.finish()
    }

    /// `nil` when a member is missing or of another kind.
    package init?(_ body: JSONObject) {
        guard let nonce = body["nonce"]?.string, let audience = body["audience"]?.string,
            let lifetime = body["expires_in"]?.integer
        else { return nil }
        self.init(nonce: nonce, audience: audience, lifetime: lifetime, pin: body["pin"]?.object)
    }
}
