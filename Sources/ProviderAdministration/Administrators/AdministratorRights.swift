// SPDX-License-Identifier: Apache-2.0
package import Primitives
import ProviderCore
import ProviderSettings
package import Storage

/// The combined rights of roles: those of a person, or the role of an API token.
package struct AdministratorRights: Sendable, Equatable {
    private struct Grant: Sendable, Equatable {
        let role: Administrator.Role
        /// `nil` for all projects.
        let project: Identifier<Project>?
    }

    private let grants: [Grant]
    /// The current roles of the owner of an API token, which limit the rights of the token. `nil`
    /// if there is no limit.
    private let keeper: [Grant]?

    package init(_ roles: [Administrator]) {
        grants = Self.grants(roles)
        keeper = nil
    }

    /// - Parameter keeper: the roles of the owner; `nil` for the operator, who has all rights.
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

    /// - Parameter project: `nil` for an action on all projects, which requires a role in all of
    ///   them.
    package func may(_ action: ConsoleAction, in project: Identifier<Project>?) -> Bool {
        let allows = { (grants: [Grant]) in
            grants.contains { grant in
                (grant.project == nil || grant.project == project)
                    && action.isAllowed(to: grant.role)
            }
        }
        return allows(grants) && keeper.map(allows) ?? true
    }

    /// Whether these rights include all rights of the role in the project. This is required to
    /// assign or revoke the role, and to change the account that has it, because such a change
    /// could give the rights of that account to the caller.
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

extension AdministratorRights? {
    /// Returns an issue for the first setting that the administrator may not change, or `nil`.
    /// Without rights it is the operator, who may change all.
    func complaint(
        about keys: [String], in project: String, at path: String = ""
    ) -> LocatedValidationIssue? {
        guard project == AdministratorRoles.homeProject, let key = keys.first,
            let rights = self, !rights.covers(.owner, in: nil)
        else { return nil }
        return LocatedValidationIssue(
            path: path.isEmpty ? key : "\(path).\(key)", ValidationIssue(.ownersAlone))
    }
}
