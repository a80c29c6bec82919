// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Consent: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = Consent(
        project: .zero, person: .zero, client: .zero, scope: "", givenAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("project_id", &project)
        try column("person_id", &person)
        try column("client_id", &client)
        try column("scope", &scope)
        try column("given_at", &givenAt)
    }
}
