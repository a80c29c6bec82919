// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The provider's record of one profile's PIN on one device (docs/protocols/pin.md). A store does
/// not read ``content``; it stores, numbers and deletes it.
package struct StoredPIN: Sendable, Equatable {
    package var project: Identifier<Project>
    /// Thumbprint of the device key, 32 bytes; unique in the project.
    package var keyID: [UInt8]
    /// The installation of the PIN. `nil` after its deletion, which also terminates the PIN.
    package var installation: Identifier<Installation>?
    package var person: Identifier<Person>
    /// The device key, a public JWK: its holder is still informed about a terminated PIN.
    package var publicJWK: String
    /// Sealed secrets and counters, JSON; empty after termination.
    package var content: String
    /// The reason of the termination; `nil` before it, and if the installation was deleted.
    package var ending: String?
    /// Incremented with each change.
    package var revision: Int64
    package var createdAt: Timestamp

    package init(
        project: Identifier<Project>, keyID: [UInt8], installation: Identifier<Installation>?,
        person: Identifier<Person>, publicJWK: String, content: String, ending: String? = nil,
        revision: Int64 = 1, createdAt: Timestamp
    ) {
        self.project = project
        self.keyID = keyID
        self.installation = installation
        self.person = person
        self.publicJWK = publicJWK
        self.content = content
        self.ending = ending
        self.revision = revision
        self.createdAt = createdAt
    }
}
