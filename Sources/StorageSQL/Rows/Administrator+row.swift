// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Administrator: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = Administrator(
        id: .zero, person: .zero, role: .auditor, createdAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("person_id", &person)
        try column("project_id", &project)
        try column("role", &role)
        try column("created_at", &createdAt)
    }
}
