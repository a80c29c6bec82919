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
    /// Of an API token: what whoever answers for it may at this moment, which is the most that it
    /// may. `nil` where there is no such bound.
    private let keeper: [Grant]?

    package init(_ roles: [Administrator]) {
        grants = Self.grants(roles)
        keeper = nil
    }

    /// - Parameter keeper: the roles of whoever answers for it; `nil` for the operator, who may all.
    package init(_ token: APIToken, within keeper: [Administrator]?) {
        grants = [Grant(role: token.role, project: token.project)]
        self.keeper = keeper.map(Self.grants)
    }

    private static func grants(_ roles: [Administrator]) -> [Grant] {
        roles.map { Grant(role: $0.role, project: $0.project) }
    }

    package func knows(_ project: Identifier<Project>) -> Bool {
        let reaches = { (grants: [Grant]) in
            grants.contains { $0.project == nil || $0.project == project }
        }
        return reaches(grants) && keeper.map(reaches) ?? true
    }

    /// - Parameter project: `nil` for what concerns every project: only a role in all counts.
    package func may(_ action: ConsoleAction, in project: Identifier<Project>?) -> Bool {
        let allows = { (grants: [Grant]) in
            grants.contains { grant in
                (grant.project == nil || grant.project == project)
                    && action.isAllowed(to: grant.role)
            }
        }
        return allows(grants) && keeper.map(allows) ?? true
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
