// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A person who uses a device.
package struct DeviceUser: Sendable, Equatable {
    package enum Method: String, Sendable, CaseIterable {
        case password
        /// A key in the device's hardware.
        case userKey = "user_key"
        /// A key on a card, whose certificate names them.
        case smartCard = "smart_card"
        /// A sign-in on a page.
        case webLogin = "web_login"
    }

    package var project: Identifier<Project>
    package var device: Identifier<Device>
    package var person: Identifier<Person>
    /// The method of the last sign-in or of the registration.
    package var method: Method
    /// The name of the local account.
    package var loginName: String
    package var registeredAt: Timestamp
    package var lastSignInAt: Timestamp?

    package init(
        project: Identifier<Project>, device: Identifier<Device>, person: Identifier<Person>,
        method: Method, loginName: String, registeredAt: Timestamp,
        lastSignInAt: Timestamp? = nil
    ) {
        self.project = project
        self.device = device
        self.person = person
        self.method = method
        self.loginName = loginName
        self.registeredAt = registeredAt
        self.lastSignInAt = lastSignInAt
    }
}
