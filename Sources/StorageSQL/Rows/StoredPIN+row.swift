// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension StoredPIN: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = StoredPIN(
        project: .zero, keyID: [], installation: nil, person: .zero, publicJWK: "", content: "",
        createdAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("project_id", &project)
        try column("key_id", &keyID)
        try column("installation_id", &installation)
        try column("person_id", &person)
        try column("public_jwk", &publicJWK)
        try column("content", &content)
        try column("ending", &ending)
        try column("revision", &revision)
        try column("created_at", &createdAt)
    }
}
