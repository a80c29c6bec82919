// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Approval: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = Approval(
        id: .zero, project: .zero, client: .zero, requestHash: [], person: nil, scope: "",
        nonce: [], createdAt: .zero, expiresAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("client_id", &client)
        try column("request_hash", &requestHash)
        try column("code_hash", &codeHash)
        try column("person_id", &person)
        try column("installation_id", &installation)
        try column("scope", &scope)
        try column("message", &message)
        try column("transaction_text", &transaction)
        try column("nonce", &nonce)
        try column("state", &state)
        try column("answer", &answer)
        try column("poll_interval", &interval)
        try column("created_at", &createdAt)
        try column("expires_at", &expiresAt)
    }
}

extension ApprovalEnrollment: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = ApprovalEnrollment(
        installation: .zero, enrolledAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("installation_id", &installation)
        try column("push_token", &sealedPushToken)
        try column("enrolled_at", &enrolledAt)
    }
}
