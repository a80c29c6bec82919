// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Challenge: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = Challenge(
        hash: [], purpose: .passkeySignIn, project: .zero, payload: "", expiresAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("hash", &hash)
        try column("purpose", &purpose)
        try column("project_id", &project)
        try column("payload", &payload)
        try column("expires_at", &expiresAt)
    }
}
