// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let storedSettings = StoredJSON<UpstreamSettings>()

extension UpstreamProvider: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = UpstreamProvider(
        id: .zero, project: .zero, name: "", kind: .oidc, createdAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("name", &name)
        try column("kind", &kind)
        try column("enabled", &isEnabled)
        try column("settings", &settings, as: storedSettings)
        try column("sealed_secret", &sealedSecret)
        try column("created_at", &createdAt)
        try column.derived("link_only", settings.linkOnly)
    }
}
