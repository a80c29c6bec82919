// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A key pair of the provider for the encryption of messages to it. It never signs, and is separate
/// from ``SigningKey``.
package struct EncryptionKey: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        /// Published: devices encrypt to it. One each project.
        case active
        /// Still decrypts messages of devices that have not yet received its successor.
        case retiring
    }

    package var id: Identifier<EncryptionKey>
    package var project: Identifier<Project>
    package var state: State
    /// Public JWK as JSON.
    package var publicJWK: String
    package var sealedPrivateKey: [UInt8]
    package var createdAt: Timestamp

    package init(
        id: Identifier<EncryptionKey>, project: Identifier<Project>, state: State = .active,
        publicJWK: String, sealedPrivateKey: [UInt8], createdAt: Timestamp
    ) {
        self.id = id
        self.project = project
        self.state = state
        self.publicJWK = publicJWK
        self.sealedPrivateKey = sealedPrivateKey
        self.createdAt = createdAt
    }
}
