// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension DeviceAuthorization: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = DeviceAuthorization(
        deviceCodeHash: [], userCodeHash: [], project: .zero, client: .zero, scope: "", interval: 0,
        expiresAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("device_code_hash", &deviceCodeHash)
        try column("user_code_hash", &userCodeHash)
        try column("project_id", &project)
        try column("client_id", &client)
        try column("scope", &scope)
        try column("state", &state)
        try column("last_polled_at", &lastPolledAt)
        try column("poll_interval", &interval)
        try column("expires_at", &expiresAt)
        try column("device", &device)
    }
}
