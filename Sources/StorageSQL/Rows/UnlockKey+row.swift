// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension UnlockKey: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = UnlockKey(
        id: .zero, project: .zero, device: .zero, person: .zero, purpose: "", sealedPrivateKey: [],
        certificate: [], createdAt: .zero, expiresAt: .zero, deleteAfter: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("device_id", &device)
        try column("person_id", &person)
        try column("purpose", &purpose)
        try column("sealed_private_key", &sealedPrivateKey)
        try column("certificate", &certificate)
        try column("created_at", &createdAt)
        try column("expires_at", &expiresAt)
        try column("delete_after", &deleteAfter)
    }
}

extension EncryptionKey: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = EncryptionKey(
        id: .zero, project: .zero, publicJWK: "", sealedPrivateKey: [], createdAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("state", &state)
        try column("public_jwk", &publicJWK)
        try column("sealed_private_key", &sealedPrivateKey)
        try column("created_at", &createdAt)
    }
}
