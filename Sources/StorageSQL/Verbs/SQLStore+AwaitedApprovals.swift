// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

private let awaitingSelect = """
    SELECT \(Credential.columns.list) FROM credentials
    WHERE awaits_approval = 1 AND id > $1 AND EXISTS
    (SELECT 1 FROM administrators a WHERE a.person_id = credentials.person_id)
    ORDER BY id LIMIT 1000
    """
private let givingApproval = """
    UPDATE credentials SET awaits_approval = 0 WHERE person_id = $1 AND awaits_approval = 1
    RETURNING id
    """
private let startingToWait = """
    UPDATE credentials SET awaits_approval = 1
    WHERE person_id = $1 AND kind <> 'public_key' AND awaits_approval = 0
    """

extension SQLStore {
    package func credentialsAwaitingApproval() async throws -> [Credential] {
        try await all(Credential.init, awaitingSelect, [UInt8]())
    }

    package func approveCredentials(of person: Identifier<Person>) async throws -> Int {
        try await engine.change(givingApproval, person).count
    }

    package func awaitApproval(ofLesserThanKeysOf person: Identifier<Person>) async throws {
        _ = try await engine.change(startingToWait, person)
    }
}
