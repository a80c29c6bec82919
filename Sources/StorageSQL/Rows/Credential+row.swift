// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Credential: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = Credential(
        id: .zero, project: .zero, person: .zero, kind: .password, externalID: [], createdAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("person_id", &person)
        try column("kind", &kind)
        try column("external_id", &externalID)
        try column("public_part", &publicPart)
        try column("details", &details)
        try column("label", &label)
        try column("sign_count", &signCount)
        try column("created_at", &createdAt)
        try column("last_used_at", &lastUsedAt)
        try column("assurance", &assurance)
        try column("upstream_id", &upstream)
        try column("installation_id", &installation)
        try column("awaits_approval", &awaitsApproval)
    }
}
