// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// What a registered installation is told: 201 the first time, 200 and the same words every time
/// after.
package struct AppRegistrationResponse: Sendable, Equatable {
    package var method: AppRegistrationMethod
    package var registrationID: String
    /// The person's `sub`.
    package var userID: String
    package var username: String
    package var installationID: String
    /// `kid` of the sign-in key; `nil` when none was brought.
    package var keyID: String?
    package var registeredAt: Timestamp
    /// The provider's word on the PIN, when the installation registers with one: what `PINResponse`
    /// reads.
    package var pin: JSONObject?

    package init(
        method: AppRegistrationMethod, registrationID: String, userID: String, username: String,
        installationID: String, keyID: String?, registeredAt: Timestamp,
        pin: JSONObject? = nil
    ) {
        self.method = method
        self.registrationID = registrationID
        self.userID = userID
        self.username = username
        self.installationID = installationID
        self.keyID = keyID
        self.registeredAt = registeredAt
        self.pin = pin
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
        return body.finish()
    }

    /// `nil` when a member is missing or of another kind.
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
            keyID: body["key_id"]?.string, registeredAt: time, pin: body["pin"]?.object)
    }
}
