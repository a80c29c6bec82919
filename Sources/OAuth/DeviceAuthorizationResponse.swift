// SPDX-License-Identifier: Apache-2.0
import JOSE

/// RFC 8628 section 3.2.
package struct DeviceAuthorizationResponse: Sendable, Equatable {
    package var deviceCode: String
    /// As shown: `XXXX-XXXX`.
    package var userCode: String
    package var verificationURI: String
    package var verificationURIComplete: String
    /// Seconds.
    package var expiresIn: Int64
    /// Seconds.
    package var interval: Int64

    package init(
        deviceCode: String, userCode: String, verificationURI: String,
        verificationURIComplete: String, expiresIn: Int64, interval: Int64
    ) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.verificationURIComplete = verificationURIComplete
        self.expiresIn = expiresIn
        self.interval = interval
    }

    package var json: [UInt8] {
        var object = JSONWriter()
        object.member("device_code", deviceCode)
        object.member("user_code", userCode)
        object.member("verification_uri", verificationURI)
        object.member("verification_uri_complete", verificationURIComplete)
        object.member("expires_in", expiresIn)
        object.member("interval", interval)
        return object.finish()
    }
}
