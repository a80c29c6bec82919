// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Session: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = Session(
        id: .zero, project: .zero, person: .zero, secretHash: [], authenticationMethods: "",
        authenticatedAt: .zero, lastSeenAt: .zero, expiresAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("person_id", &person)
        try column("secret_hash", &secretHash)
        try column("authentication_methods", &authenticationMethods)
        try column("authenticated_at", &authenticatedAt)
        try column("last_seen_at", &lastSeenAt)
        try column("expires_at", &expiresAt)
        try column("device", &device)
        try column("address", &address)
        try column("factors", &factors, as: FactorText())
        try column("rests_on", &restsOn)
    }
}
