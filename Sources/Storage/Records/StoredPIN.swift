// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What the provider knows of one profile's PIN on one device (docs/protocols/pin.md). No store
/// reads ``content``; it keeps it, numbered, and destroys it.
package struct StoredPIN: Sendable, Equatable {
    package var project: Identifier<Project>
    /// Thumbprint of the device key, 32 bytes; unique in the project.
    package var keyID: [UInt8]
    /// Whose it is. `nil` when the installation is gone: then the PIN is over.
    package var installation: Identifier<Installation>?
    package var person: Identifier<Person>
    /// The device key, a public JWK: what is over must still be told to whoever holds it.
    package var publicJWK: String
    /// Sealed secrets and counts, JSON; empty once it is over.
    package var content: String
    /// Why it is over; `nil` as long as it is not, or when the installation was removed.
    package var ending: String?
    /// One more with each change.
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
