// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let themes = StoredJSON<Theme>()
private let policies = StoredJSON<ProjectPolicy>()

extension Project: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = Project(
        id: .zero, name: "", environment: .production, createdAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("name", &name)
        try column("environment", &environment)
        try column("theme", &theme, as: themes)
        try column("policy", &policy, as: policies)
        try column("created_at", &createdAt)
    }
}
