// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension APIToken: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = APIToken(
        id: .zero, project: .zero, hash: [], name: "", role: .auditor, maker: nil, makerName: "",
        createdAt: .zero, expiresAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("hash", &hash)
        try column("name", &name)
        try column("role", &role)
        try column("made_by", &maker)
        try column("maker", &makerName)
        try column("created_at", &createdAt)
        try column("expires_at", &expiresAt)
        try column("revoked_at", &revokedAt)
        try column("last_used_at", &lastUsedAt)
    }
}
