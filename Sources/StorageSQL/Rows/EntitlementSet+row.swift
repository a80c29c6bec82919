// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension EntitlementSet: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = EntitlementSet(
        project: .zero, name: "", entitlements: "", createdAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("project_id", &project)
        try column("name", &name)
        try column("entitlements", &entitlements)
        try column("created_at", &createdAt)
    }
}
