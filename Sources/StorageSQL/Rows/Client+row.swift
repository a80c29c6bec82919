// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let storedMetadata = StoredJSON<ClientMetadata>()

extension Client: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = Client(
        id: .zero, project: .zero, clientID: "", metadata: ClientMetadata(), createdAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("client_id", &clientID)
        try column("metadata", &metadata, as: storedMetadata)
        try column("secret_hash", &secretHash)
        try column("disabled", &disabled)
        try column("created_at", &createdAt)
    }
}
