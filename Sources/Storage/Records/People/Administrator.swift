// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A person's rights in the console: one role, in one project or in all projects.
package struct Administrator: Sendable, Equatable {
    package enum Role: String, Sendable, CaseIterable {
        /// All rights in all projects, including the management of administrators.
        case owner
        /// All rights within a project.
        case projectAdministrator = "project_administrator"
        /// The rights that app development requires: clients and keys, without people.
        case developer
        /// The rights to help people who cannot sign in, without irreversible operations.
        case support
        /// Read-only access.
        case auditor
    }

    package var id: Identifier<Administrator>
    package var person: Identifier<Person>
    /// `nil` for all projects, including future ones.
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

/// An administrator in a list.
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
