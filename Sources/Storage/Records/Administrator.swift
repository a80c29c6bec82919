// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What a person of the home project may do in the console: one role, in one project or in all.
package struct Administrator: Sendable, Equatable {
    package enum Role: String, Sendable, CaseIterable {
        /// Everything, in every project, the other administrators among it.
        case owner
        /// Everything within a project.
        case projectAdministrator = "project_administrator"
        /// What an app needs: its clients, its keys. Nothing of people.
        case developer
        /// What helps people who are locked out. Nothing that cannot be undone.
        case support
        /// Sees, and changes nothing.
        case auditor
    }

    package var id: Identifier<Administrator>
    package var person: Identifier<Person>
    /// `nil` for every project, those to come among them.
    package var project: Identifier<Project>?
    package var role: Role
    package var createdAt: Timestamp

    package init(
        id: Identifier<Administrator>, person: Identifier<Person>,
        project: Identifier<Project>? = nil, role: Role, createdAt: Timestamp
    ) {
        self.id = id
        self.person = person
        self.project = project
        self.role = role
        self.createdAt = createdAt
    }
}

/// An administrator as lists show them.
package struct AdministratorSummary: Sendable, Equatable {
    package var administrator: Administrator
    package var username: String
    /// `nil` for every project.
    package var projectName: String?

    package init(administrator: Administrator, username: String, projectName: String?) {
        self.administrator = administrator
        self.username = username
        self.projectName = projectName
    }
}
