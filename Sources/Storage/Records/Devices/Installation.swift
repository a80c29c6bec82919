// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// One app on one device, registered for one person.
package struct Installation: Sendable, Equatable {
    package var id: Identifier<Installation>
    package var project: Identifier<Project>
    package var person: Identifier<Person>
    /// The UUID that the installation chose for its registration, 16 bytes; unique in the project.
    package var registrationID: [UInt8]
    /// The registration method.
    package var method: String
    /// The hash of the registered data, 32 bytes: a repeated request for the same data gets the
    /// same response.
    package var binding: [UInt8]
    /// The key with which it signs in; `nil` if it has none.
    package var credential: Identifier<Credential>?
    /// The displayed name.
    package var name: String
    /// The verified evidence about app and device, as JSON.
    package var details: String
    package var createdAt: Timestamp

    package init(
        id: Identifier<Installation>, project: Identifier<Project>, person: Identifier<Person>,
        registrationID: [UInt8], method: String, binding: [UInt8],
        credential: Identifier<Credential>? = nil, name: String = "", details: String = "{}",
        createdAt: Timestamp
    ) {
        self.id = id
        self.project = project
        self.person = person
        self.registrationID = registrationID
        self.method = method
        self.binding = binding
        self.credential = credential
        self.name = name
        self.details = details
        self.createdAt = createdAt
    }
}
