// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let storedSettings = StoredJSON<IssuerKeySettings>()

extension IssuerKey: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = IssuerKey(
        id: .zero, project: .zero, kind: .federation, issuer: "", kid: "", algorithm: "",
        publicJWK: "", createdAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("kind", &kind)
        try column("issuer", &issuer)
        try column("kid", &kid)
        try column("algorithm", &algorithm)
        try column("public_jwk", &publicJWK)
        try column("settings", &settings, as: storedSettings)
        try column("created_at", &createdAt)
    }
}
