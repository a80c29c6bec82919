// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Installation: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = Installation(
        id: .zero, project: .zero, person: .zero, registrationID: [], method: "", binding: [],
        createdAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("person_id", &person)
        try column("registration_id", &registrationID)
        try column("method", &method)
        try column("binding", &binding)
        try column("credential_id", &credential)
        try column("name", &name)
        try column("details", &details)
        try column("created_at", &createdAt)
    }
}
