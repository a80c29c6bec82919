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
    /// Hash of what was registered, 32 bytes: whoever asks again for the same gets the same answer.
    package var binding: [UInt8]
    /// The key that it signs in with; `nil` when it brought none.
    package var credential: Identifier<Credential>?
    /// For people.
    package var name: String
    /// What the evidence said of app and device, as JSON.
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
