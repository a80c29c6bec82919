// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderCore
import ProviderSettings
import Storage

/// The steps for administrators, and the checks of changes to them.
extension StateReconciler {
    /// - Parameter steps: the earlier steps, which may create the person or the project.
    func administratorSteps(
        for state: DesiredState, after steps: [StateStep]
    ) async throws -> [Result<StateStep, LocatedValidationIssue>] {
        guard !state.administrators.isEmpty else { return [] }
        let home = try await project(AdministratorRoles.homeProject, or: steps)
        var found: [Result<StateStep, LocatedValidationIssue>] = []
        // Owners first: a successor must be an owner before the role of the last owner changes.
        let sorted =
            state.administrators.filter { $0.role == .owner }
            + state.administrators.filter { $0.role != .owner }
        for wanted in sorted { found.append(try await step(for: wanted, home: home, steps)) }
        return found
    }

    private func step(
        for wanted: DesiredAdministrator, home: Project?, _ steps: [StateStep]
    ) async throws -> Result<StateStep, LocatedValidationIssue> {
        guard let home, let person = try await person(wanted.username, of: home, or: steps) else {
            return .failure(
                LocatedValidationIssue(
                    path: wanted.username,
                    ValidationIssue(
                        .nobodyAtHome, ["project": .text(AdministratorRoles.homeProject)])))
        }
        let scope = try await wanted.project.asyncMap { try await project($0, or: steps) }
        if wanted.project != nil, scope == nil {
            return .failure(
                LocatedValidationIssue(
                    path: wanted.username,
                    ValidationIssue(.roleNowhere, ["project": .text(wanted.project ?? "")])))
        }
        let old = try await store.administrators.administration(of: person.id)
            .first { $0.project == scope?.id }
        let new = Administrator(
            id: Identifier(now: now, random: provider.random), person: person.id,
            project: scope?.id, role: wanted.role, createdAt: now)
        return .success(StateDifference.administrator(from: old, to: wanted, new: new))
    }

    private func project(_ name: String, or steps: [StateStep]) async throws -> Project? {
        if let project = try await store.projects.project(named: name) { return project }
        return steps.lazy.compactMap(\.newProject).first { $0.name == name }
    }

    private func person(
        _ username: String, of home: Project, or steps: [StateStep]
    ) async throws -> Person? {
        if let person = try await store.people.person(username: username, in: home.id) {
            return person
        }
        return steps.lazy.compactMap(\.newPerson)
            .first { $0.project == home.id && $0.username == username }
    }

    /// Returns the issue of a change to a person with a role, or `nil`.
    func complaint(
        about wanted: DesiredPerson, in project: Project, exists: Bool
    ) async throws -> LocatedValidationIssue? {
        guard exists, project.name == AdministratorRoles.homeProject,
            let person = try await store.people.person(username: wanted.username, in: project.id)
        else { return nil }
        if let rights, try await !rights.covers(store.administrators.administration(of: person.id))
        {
            return LocatedValidationIssue(
                path: wanted.username, ValidationIssue(.higherRole))
        }
        guard wanted.members["disabled"]?.bool == true, !person.disabled,
            try await store.administrators.isLastOwner(person.id)
        else { return nil }
        return LocatedValidationIssue(
            path: wanted.username, ValidationIssue(.lastOwner))
    }
}

extension StateStep {
    fileprivate var newProject: Project? {
        if case .project(let project, _) = write { project } else { nil }
    }

    var newPerson: Person? {
        if case .createPerson(let person, _) = write { person } else { nil }
    }
}

extension StateDifference {
    static func administrator(
        from old: Administrator?, to wanted: DesiredAdministrator, new: Administrator
    ) -> StateStep {
        let isSame = old?.role == wanted.role
        let field = StateChange.Field(
            name: "role", from: old.map { .string($0.role.rawValue) },
            to: .string(wanted.role.rawValue))
        let change = change(
            .administrator, exists: old != nil, project: wanted.project ?? "*",
            name: wanted.username, isSame ? [] : [field])
        return StateStep(change: change, write: isSame ? .none : .administrator(new))
    }
}

extension Optional {
    fileprivate func asyncMap<Value>(
        _ body: (Wrapped) async throws -> Value?
    ) async throws -> Value? {
        guard let self else { return nil }
        return try await body(self)
    }
}
