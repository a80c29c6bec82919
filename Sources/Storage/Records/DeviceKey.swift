// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A public key of a device, or of a person on a device.
///
/// A project knows each name (`kid`) once, whatever the key is for and whether it still lives, so
/// no device can take another's name, and a key that has ended never comes back.
package struct DeviceKey: Sendable, Equatable {
    package enum Use: String, Sendable, CaseIterable {
        /// Signs the device's requests.
        case signing
        /// Answers are encrypted to it.
        case encryption
        /// Signs for one person.
        case user
    }

    /// SHA-256 of the key, 32 bytes.
    package var kid: [UInt8]
    package var project: Identifier<Project>
    package var device: Identifier<Device>
    /// Of a user key.
    package var person: Identifier<Person>?
    package var use: Use
    /// Public JWK as JSON.
    package var publicJWK: String
    package var createdAt: Timestamp
    /// `nil` while nothing has taken its place.
    package var endsAt: Timestamp?
    /// What a login with a user key is worth (`acr`): no more than what proved the person when the key
    /// was registered. `nil` where nobody knows.
    package var contextClass: String?

    package init(
        kid: [UInt8], project: Identifier<Project>, device: Identifier<Device>,
        person: Identifier<Person>? = nil, use: Use, publicJWK: String, createdAt: Timestamp,
        endsAt: Timestamp? = nil, contextClass: String? = nil
    ) {
        self.kid = kid
        self.project = project
        self.device = device
        self.person = person
        self.use = use
        self.publicJWK = publicJWK
        self.createdAt = createdAt
        self.endsAt = endsAt
        self.contextClass = contextClass
    }
}
