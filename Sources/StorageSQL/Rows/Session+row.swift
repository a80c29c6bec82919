// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Session {
    static let columns = Columns(
        """
        id project_id person_id secret_hash authentication_methods authenticated_at last_seen_at \
        expires_at device address factors rests_on
        """)

    var values: [SQLValue] {
        [
            id.sqlValue, project.sqlValue, person.sqlValue, secretHash.sqlValue,
            authenticationMethods.sqlValue, authenticatedAt.sqlValue, lastSeenAt.sqlValue,
            expiresAt.sqlValue, device.sqlValue, address.sqlValue,
            FactorText.encode(factors).sqlValue, restsOn.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), person: try row.identifier(),
            secretHash: try row.bytes(), authenticationMethods: try row.text(),
            authenticatedAt: try row.time(), lastSeenAt: try row.time(),
            expiresAt: try row.time(), device: try row.text(), address: try row.text())
        factors = try FactorText.decode(row.text())
        restsOn = try row.optionalBytes()
    }
}
