// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let accountNameOfPerson = """
    SELECT account_name FROM people WHERE id = $1 AND project_id = $2
    """
private let accountNameGive = """
    UPDATE people SET account_name = $3
    WHERE id = $1 AND project_id = $2 AND account_name IS NULL AND NOT EXISTS (
    SELECT 1 FROM people o WHERE o.project_id = $2 AND o.account_name = $3)
    AND NOT EXISTS (
    SELECT 1 FROM people o WHERE o.project_id = $2 AND o.username = $3 AND o.id <> $1)
    """

extension SQLPeople {
    func assignAccountName(
        _ names: [String], to person: Identifier<Person>, in project: Identifier<Project>,
        now: Timestamp
    ) async throws -> String? {
        for name in names {
            // Another person can take the name at the same time: then it is not free.
            let isGiven = try await unlessTaken {
                try await engine.write { connection in
                    let values = [person.sqlValue, project.sqlValue, name.sqlValue]
                    guard try connection.change(accountNameGive, arguments: values) > 0 else {
                        return false
                    }
                    // Rolls the assignment back.
                    if try connection.isHeld(name, in: project, now) {
                        throw StorageError(.conflict, "the name is held")
                    }
                    return true
                }
            }
            if isGiven { return name }
            let held = try await engine.query(accountNameOfPerson, person, project).first
            guard var row = held else { return nil }
            if let held = try row.optionalText() { return held }
        }
        return nil
    }
}
