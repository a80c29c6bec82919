// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let setByName = """
    SELECT \(EntitlementSet.columns.list) FROM entitlement_sets WHERE project_id = $1 AND name = $2
    """
private let setsOfProject = """
    SELECT \(EntitlementSet.columns.list) FROM entitlement_sets WHERE project_id = $1
    ORDER BY name LIMIT 1000
    """
private let setUpsert = EntitlementSet.columns.upsert(
    into: "entitlement_sets", key: "project_id name", except: "created_at")
private let setAdd = """
    \(EntitlementSet.columns.insert(into: "entitlement_sets"))
    ON CONFLICT DO NOTHING RETURNING name
    """
private let setReplace = """
    UPDATE entitlement_sets SET entitlements = $3 WHERE project_id = $1 AND name = $2
    AND entitlements = $4 RETURNING name
    """
let setHold = "SELECT name FROM entitlement_sets WHERE project_id = $1 AND name = $2"
private let setDelete = """
    DELETE FROM entitlement_sets WHERE project_id = $1 AND name = $2 AND NOT EXISTS (
    SELECT 1 FROM people p WHERE p.project_id = $1 AND p.entitlement_set = $2
    AND p.entitlement_set <> '') AND NOT EXISTS (
    SELECT 1 FROM entitlement_steps t WHERE t.project_id = $1 AND t.set_name = $2) RETURNING name
    """

/// Entitlement sets and sequences, and what people have of them.
struct SQLEntitlements: EntitlementStore, SQLCapability {
    let database: SQLDatabase

    func entitlementSet(
        named name: String, in project: Identifier<Project>
    ) async throws -> EntitlementSet? {
        try await one(EntitlementSet.init, setByName, project, name)
    }

    func entitlementSets(
        of project: Identifier<Project>
    ) async throws -> [EntitlementSet] {
        try await all(EntitlementSet.init, setsOfProject, project)
    }

    func save(_ set: EntitlementSet) async throws {
        _ = try await engine.change(setUpsert, arguments: set.values)
    }

    func add(_ set: EntitlementSet) async throws -> AddEntitlementsOutcome {
        try await engine.write { connection in
            let added = try connection.change(returning: setAdd, arguments: set.values)
            return added.isEmpty ? .exists : .added
        }
    }

    func save(
        _ set: EntitlementSet, over earlier: String
    ) async throws -> AddEntitlementsOutcome {
        let replaced = try await engine.change(
            setReplace, set.project, set.name, set.entitlements, earlier)
        return replaced.isEmpty ? .exists : .added
    }

    func remove(
        entitlementSet name: String, of project: Identifier<Project>
    ) async throws -> RemoveEntitlementSetOutcome {
        let hold = setHold + dialect.forUpdate
        return try await engine.write { connection in
            // The lock comes first: a concurrent sequence that includes the set is visible, or
            // waits and does not find the set.
            guard try connection.first(hold, project, name) != nil else { return .unknown }
            return try connection.change(returning: setDelete, project, name).isEmpty
                ? .inUse : .removed
        }
    }
}
