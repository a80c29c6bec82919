// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// What roles allow, taken together: those of a person, or the one of an API token.
package struct AdministratorRights: Sendable, Equatable {
    private struct Grant: Sendable, Equatable {
        let role: Administrator.Role
        /// `nil` for every project.
        let project: Identifier<Project>?
    }

    private let grants: [Grant]

    package init(_ roles: [Administrator]) {
        grants = roles.map { Grant(role: $0.role, project: $0.project) }
    }

    package init(_ token: APIToken) {
        grants = [Grant(role: token.role, project: token.project)]
    }

    package func knows(_ project: Identifier<Project>) -> Bool {
        grants.contains { $0.project == nil || $0.project == project }
    }

    /// - Parameter project: `nil` for what concerns every project: only a role in all counts.
    package func may(_ action: ConsoleAction, in project: Identifier<Project>?) -> Bool {
        grants.contains { grant in
            (grant.project == nil || grant.project == project)
                && action.isAllowed(to: grant.role)
        }
    }

    /// Whether whoever has these may do all that the role allows there. Only then may they give it
    /// away, or change the account that has it: its owner's powers would be theirs.
    package func covers(_ role: Administrator.Role, in project: Identifier<Project>?) -> Bool {
        ConsoleAction.allCases.allSatisfy { action in
            !action.isAllowed(to: role) || may(action, in: project)
                || (project != nil && action.concernsAllProjects)
        }
    }

    package func covers(_ roles: [Administrator]) -> Bool {
        roles.allSatisfy { covers($0.role, in: $0.project) }
    }
}
