// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Device: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = Device(
        id: .zero, project: .zero, sharing: .shared, facts: DeviceAttributes(), registeredAt: .zero,
        lastSeenAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("sharing", &sharing)
        try column("serial", &facts.serial)
        try column("udid", &facts.udid)
        try column("model", &facts.model)
        try column("host_name", &facts.hostName)
        try column("system_version", &facts.systemVersion)
        try column("registered_by", &registeredBy)
        try column("attestation", &attestation)
        try column("registered_at", &registeredAt)
        try column("last_seen_at", &lastSeenAt)
        try column("revoked_at", &revokedAt)
        try column("identity", &identity)
        try column("compliance", &compliance, as: KnownWord<Compliance>())
        try column("compliance_until", &complianceUntil)
    }
}

extension DeviceKey: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = DeviceKey(
        kid: [], project: .zero, device: .zero, use: .signing, publicJWK: "", createdAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("kid", &kid)
        try column("project_id", &project)
        try column("device_id", &device)
        try column("person_id", &person)
        try column("key_use", &use)
        try column("public_jwk", &publicJWK)
        try column("created_at", &createdAt)
        try column("ends_at", &endsAt)
        try column("context_class", &contextClass)
    }

    /// Reads the row of an outer join; `nil` if it is absent, and then no further column is read.
    init?(ifPresent row: inout SQLRow) throws {
        var ahead = row
        guard try ahead.optionalBytes() != nil else { return nil }
        try self.init(&row)
    }
}

extension DeviceUser: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = DeviceUser(
        project: .zero, device: .zero, person: .zero, method: .password, loginName: "",
        registeredAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("project_id", &project)
        try column("device_id", &device)
        try column("person_id", &person)
        try column("method", &method)
        try column("login_name", &loginName)
        try column("registered_at", &registeredAt)
        try column("last_sign_in_at", &lastSignInAt)
    }
}

extension RegistrationToken: StoredRecord {
    static let columns = Columns(of: Self.self)
    static let blank = RegistrationToken(
        id: .zero, project: .zero, hash: [], label: "", createdAt: .zero, expiresAt: .zero)

    mutating func columns<C: ColumnVisitor>(_ column: inout C) throws(C.VisitError) {
        try column("id", &id)
        try column("project_id", &project)
        try column("hash", &hash)
        try column("label", &label)
        try column("serial", &serial)
        try column("maximum_uses", &maximumUses)
        try column("uses", &uses)
        try column("created_at", &createdAt)
        try column("expires_at", &expiresAt)
        try column("revoked_at", &revokedAt)
        try column("owner", &owner)
    }
}
