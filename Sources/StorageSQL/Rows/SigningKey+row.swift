// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension SigningKey: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = SigningKey(
        id: .zero, project: .zero, kid: "", algorithm: "", state: .retired, publicJWK: "",
        sealedPrivateKey: [], createdAt: .zero, changedAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("kid", &kid)
        try column("algorithm", &algorithm)
        try column("state", &state)
        try column("public_jwk", &publicJWK)
        try column("sealed_private_key", &sealedPrivateKey)
        try column("created_at", &createdAt)
        try column("changed_at", &changedAt)
    }
}
