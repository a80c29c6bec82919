// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

private let setColumns = Columns("project_id name entitlements created_at")
private let setByName = """
    SELECT \(setColumns.list) FROM entitlement_sets WHERE project_id = $1 AND name = $2
    """
private let setsOfProject = """
    SELECT \(setColumns.list) FROM entitlement_sets WHERE project_id = $1 ORDER BY name LIMIT 1000
    """
private let setUpsert = """
    \(setColumns.insert(into: "entitlement_sets"))
    ON CONFLICT (project_id, name) DO UPDATE SET entitlements = excluded.entitlements
    """
private let setDelete = """
    DELETE FROM entitlement_sets WHERE project_id = $1 AND name = $2 AND NOT EXISTS (
    SELECT 1 FROM people p WHERE p.project_id = $1 AND p.entitlement_set = $2
    AND p.entitlement_set <> '') RETURNING name
    """
private let ofPerson = """
    SELECT p.entitlement_set, s.entitlements, p.entitlements FROM people p
    LEFT JOIN entitlement_sets s ON s.project_id = p.project_id AND s.name = p.entitlement_set
    WHERE p.id = $1
    """
private let personGive = """
    UPDATE people SET entitlement_set = $2, entitlements = $3 WHERE id = $1 AND ($2 = '' OR EXISTS (
    SELECT 1 FROM entitlement_sets s WHERE s.project_id = people.project_id AND s.name = $2))
    RETURNING id
    """

extension SQLStore {
    package func entitlementSet(
        named name: String, in project: Identifier<Project>
    ) async throws -> EntitlementSet? {
        try await one(EntitlementSet.init, setByName, project, name)
    }

    package func entitlementSets(
        of project: Identifier<Project>
    ) async throws -> [EntitlementSet] {
        try await all(EntitlementSet.init, setsOfProject, project)
    }

    package func save(_ set: EntitlementSet) async throws {
        _ = try await engine.change(
            setUpsert, set.project, set.name, set.entitlements, set.createdAt)
    }

    package func remove(
        entitlementSet name: String, of project: Identifier<Project>
    ) async throws -> RemoveEntitlementSetOutcome {
        guard try await engine.change(setDelete, project, name).isEmpty else { return .removed }
        return try await entitlementSet(named: name, in: project) == nil ? .unknown : .inUse
    }

    package func entitlements(
        of person: Identifier<Person>
    ) async throws -> PersonalEntitlements? {
        try await one(
            {
                PersonalEntitlements(
                    set: try $0.text(), ofSet: try $0.optionalText(), explicit: try $0.text())
            }, ofPerson, person)
    }

    package func setEntitlements(
        of person: Identifier<Person>, set: String, explicit: String
    ) async throws -> Bool {
        try await !engine.change(personGive, person, set, explicit).isEmpty
    }
}

extension EntitlementSet {
    fileprivate init(_ row: inout SQLRow) throws {
        self.init(
            project: try row.identifier(), name: try row.text(), entitlements: try row.text(),
            createdAt: try row.time())
    }
}
