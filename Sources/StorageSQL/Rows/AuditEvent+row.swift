// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension AuditEvent {
    /// The last one is for conditions, and is not read: the details contain it.
    static let columns = Columns(
        """
        id project_id at action outcome code person_id client_id address request_id details \
        occurrences device_id
        """)

    var values: [SQLValue] {
        [
            id.sqlValue, project.sqlValue, at.sqlValue, action.sqlValue,
            outcome.rawValue.sqlValue, code.sqlValue, person.sqlValue, clientID.sqlValue,
            address.sqlValue, requestID.sqlValue, details.sqlValue, count.sqlValue,
            (device?.description).sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), at: try row.time(),
            action: try row.text(), outcome: try row.word(), code: try row.optionalText(),
            person: try row.optionalIdentifier(), clientID: try row.optionalText(),
            address: try row.text(), requestID: try row.text(), details: try row.text(),
            count: try row.integer())
    }
}
