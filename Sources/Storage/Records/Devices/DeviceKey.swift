// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A public key of a device, or of a person on a device.
///
/// A `kid` is unique in a project across uses and states. So a device cannot take another's `kid`,
/// and a revoked key never returns.
package struct DeviceKey: Sendable, Equatable {
    package enum Use: String, Sendable, CaseIterable {
        /// Signs the device's requests.
        case signing
        /// Responses are encrypted to it.
        case encryption
        /// Signs for one person.
        case user
    }

    /// SHA-256 of the key, 32 bytes.
    package var kid: [UInt8]
    package var project: Identifier<Project>
    package var device: Identifier<Device>
    /// The person of a user key.
    package var person: Identifier<Person>?
    package var use: Use
    /// Public JWK as JSON.
    package var publicJWK: String
    package var createdAt: Timestamp
    /// `nil` until the key is replaced or revoked.
    package var endsAt: Timestamp?
    /// The assurance (`acr`) of a login with a user key: at most that of the proof at its
    /// registration. `nil` if it is unknown.
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
