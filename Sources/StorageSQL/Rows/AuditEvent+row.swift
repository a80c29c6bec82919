// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension AuditEvent: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = AuditEvent(
        id: .zero, project: .zero, at: .zero, action: "", outcome: .refused)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("at", &at)
        try column("action", &action)
        try column("outcome", &outcome)
        try column("code", &code)
        try column("person_id", &person)
        try column("client_id", &clientID)
        try column("address", &address)
        try column("request_id", &requestID)
        try column("details", &details)
        try column("occurrences", &count)
        // The details contain it.
        try column.derived("device_id", device?.description)
    }
}
