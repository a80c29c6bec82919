// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import ProviderSettings
import ProviderTokens
package import Storage

extension StateReconciler {
    /// Adds a warning if the step disables test keys: people who registered with a test key can no
    /// longer sign in.
    func warned(_ step: StateStep, of old: Project?) async throws -> StateStep {
        guard case .project(let new, _) = step.write, let old, old.believesTestKeys,
            !new.believesTestKeys
        else { return step }
        let count = try await store.installations.testPeople(of: old)
        guard count > 0 else { return step }
        var step = step
        step.change.warnings.append(
            "\(count) \(count == 1 ? "person" : "people") of test keys will be refused from then "
                + "on, and what their apps were given ends. `admin test-keys sweep` removes them.")
        return step
    }
}

extension StateReconciler {
    /// Adds a warning for each group without members that the client's policy names, because the
    /// name may be misspelled.
    func warned(_ step: StateStep, besides people: [DesiredPerson]) async throws -> StateStep {
        guard case .client(let new, let old) = step.write else { return step }
        let known = Set(old.map { $0.metadata.namedGroups } ?? [])
        let coming = Set(people.flatMap { $0.members["groups"]?.strings ?? [] })
        var step = step
        for group in try await store.groups.emptyGroups(named: new)
        where !known.contains(group) && !coming.contains(group) {
            step.change.warnings.append(
                "No person is in the group \(JSONValue.string(group).text). Check its spelling, or "
                    + "add people to it.")
        }
        let users = new.metadata.namedUsers.subtracting(old.map { $0.metadata.namedUsers } ?? [])
        for user in users.subtracting(people.map(\.username)).sorted() {
            guard try await store.people.person(username: user, in: new.project) == nil else {
                continue
            }
            step.change.warnings.append(
                "No person has the user name \(JSONValue.string(user).text). A person who "
                    + "registers with it later may use the client.")
        }
        return step
    }
}

extension ClientMetadata {
    /// The people that `access` names.
    fileprivate var namedUsers: Set<String> {
        if case .only(_, let users) = ClientPolicy(self).access { users } else { [] }
    }

    /// The groups that `access` and `claims` name, sorted.
    fileprivate var namedGroups: [String] {
        var groups: Set<String> = []
        if case .only(let allowed, _) = ClientPolicy(self).access { groups = allowed }
        for claim in CustomClaim.all(claims) {
            if case .groups(let rows) = claim.source { groups.formUnion(rows.map(\.name)) }
        }
        return groups.sorted()
    }
}

extension GroupStore {
    /// The groups without members that a client's policy names.
    package func emptyGroups(named client: Client) async throws -> [String] {
        var empty: [String] = []
        for group in client.metadata.namedGroups.prefix(TextRules.maximumElements) {
            let members = try await members(
                of: group, in: client.project, after: nil, limit: 1)
            if members.isEmpty { empty.append(group) }
        }
        return empty
    }
}

extension InstallationStore {
    /// The number of people who registered with test keys.
    package func testPeople(of project: Project) async throws -> Int64 {
        try await countPeople(of: project.id, origin: AppRegistrationMethod.testKey.rawValue)
    }
}
