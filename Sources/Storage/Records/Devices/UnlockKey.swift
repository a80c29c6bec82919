// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A key pair for the data of one person on one device. Its private key never leaves the provider.
package struct UnlockKey: Sendable, Equatable {
    package var id: Identifier<UnlockKey>
    package var project: Identifier<Project>
    package var device: Identifier<Device>
    package var person: Identifier<Person>
    /// `user_unlock`
    package var purpose: String
    package var sealedPrivateKey: [UInt8]
    /// DER. It stays the same during its validity, because macOS binds a different one again.
    package var certificate: [UInt8]
    package var createdAt: Timestamp
    /// The expiry of the certificate.
    package var expiresAt: Timestamp
    /// The time until which it still decrypts data.
    package var deleteAfter: Timestamp

    package init(
        id: Identifier<UnlockKey>, project: Identifier<Project>, device: Identifier<Device>,
        person: Identifier<Person>, purpose: String, sealedPrivateKey: [UInt8],
        certificate: [UInt8], createdAt: Timestamp, expiresAt: Timestamp, deleteAfter: Timestamp
    ) {
        self.id = id
        self.project = project
        self.device = device
        self.person = person
        self.purpose = purpose
        self.sealedPrivateKey = sealedPrivateKey
        self.certificate = certificate
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.deleteAfter = deleteAfter
    }
}
