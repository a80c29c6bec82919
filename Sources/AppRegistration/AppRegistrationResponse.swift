// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The response to a registered installation: 201 the first time, and 200 with the same body
/// afterwards, except ``next``.
package struct AppRegistrationResponse: Sendable, Equatable {
    package var method: AppRegistrationMethod
    package var registrationID: String
    /// The person's `sub`.
    package var userID: String
    package var username: String
    package var installationID: String
    /// `kid` of the sign-in key; `nil` if there is none.
    package var keyID: String?
    package var registeredAt: Timestamp
    /// The provider's response about the PIN, if the installation registers with one; `PINResponse`
    /// parses it.
    package var pin: JSONObject?
    /// The nonce for the first sign-in: of the PIN protocol if the installation has a PIN. `nil`
    /// without a sign-in key, and from older providers.
    package var next: ServerChallenge?

    package init(
        method: AppRegistrationMethod, registrationID: String, userID: String, username: String,
        installationID: String, keyID: String?, registeredAt: Timestamp,
        pin: JSONObject? = nil, next: ServerChallenge? = nil
    ) {
        self.method = method
        self.registrationID = registrationID
        self.userID = userID
        self.username = username
        self.installationID = installationID
        self.keyID = keyID
        self.registeredAt = registeredAt
        self.pin = pin
        self.next = next
    }

    package var json: [UInt8] {
        var body = JSONWriter()
        body.member("method", method.rawValue)
        body.member("registration_id", registrationID)
        body.member("user_id", userID)
        body.member("username", username)
        body.member("installation_id", installationID)
        body.member("key_id", ifPresent: keyID)
        body.member("registered_at", registeredAt.rfc3339)
        if let pin { body.member("pin", .object(pin)) }
        if let next { body.member("next", .object(next.object)) }
        return body.finish()
    }

    /// Returns `nil` if a member is missing or of another type.
    package init?(_ body: JSONObject) {
        guard let method = body["method"]?.string,
            let registration = body["registration_id"]?.string,
            let user = body["user_id"]?.string, let username = body["username"]?.string,
            let installation = body["installation_id"]?.string,
            let time = body["registered_at"]?.string.flatMap({ Timestamp(rfc3339: $0) })
        else { return nil }
        self.init(
            method: AppRegistrationMethod(rawValue: method), registrationID: registration,
            userID: user, username: username, installationID: installation,
            keyID: body["key_id"]?.string, registeredAt: time, pin: body["pin"]?.object,
            next: body["next"]?.object.flatMap(ServerChallenge.init))
    }
}
