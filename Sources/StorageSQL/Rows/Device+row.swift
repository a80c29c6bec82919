// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension Device {
    static let columns = Columns(
        """
        id project_id sharing serial udid model host_name system_version registered_by attestation \
        registered_at last_seen_at revoked_at identity compliance compliance_until
        """)

    var values: [SQLValue] {
        [
            id.sqlValue, project.sqlValue, sharing.rawValue.sqlValue, facts.serial.sqlValue,
            facts.udid.sqlValue, facts.model.sqlValue, facts.hostName.sqlValue,
            facts.systemVersion.sqlValue, registeredBy.sqlValue, attestation.sqlValue,
            registeredAt.sqlValue, lastSeenAt.sqlValue, revokedAt.sqlValue, identity.sqlValue,
            (compliance?.rawValue).sqlValue, complianceUntil.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), sharing: try row.word(),
            facts: DeviceAttributes(
                serial: try row.text(), udid: try row.text(), model: try row.text(),
                hostName: try row.text(), systemVersion: try row.text()),
            registeredBy: try row.optionalIdentifier(), attestation: try row.text(),
            registeredAt: try row.time(), lastSeenAt: try row.time(),
            revokedAt: try row.optionalTime())
        identity = try row.optionalText()
        compliance = try row.optionalText().flatMap(Compliance.init)
        complianceUntil = try row.optionalTime()
    }
}

extension DeviceKey {
    static let columns = Columns(
        "kid project_id device_id person_id key_use public_jwk created_at ends_at context_class")

    var values: [SQLValue] {
        [
            kid.sqlValue, project.sqlValue, device.sqlValue, person.sqlValue,
            use.rawValue.sqlValue, publicJWK.sqlValue, createdAt.sqlValue, endsAt.sqlValue,
            contextClass.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            kid: try row.bytes(), project: try row.identifier(), device: try row.identifier(),
            person: try row.optionalIdentifier(), use: try row.word(), publicJWK: try row.text(),
            createdAt: try row.time(), endsAt: try row.optionalTime(),
            contextClass: try row.optionalText())
    }

    /// Reads the row of an outer join; `nil` if it is absent, and then no further column is read.
    init?(ifPresent row: inout SQLRow) throws {
        var ahead = row
        guard try ahead.optionalBytes() != nil else { return nil }
        try self.init(&row)
    }
}

extension DeviceUser {
    static let columns = Columns(
        "project_id device_id person_id method login_name registered_at last_sign_in_at")

    var values: [SQLValue] {
        [
            project.sqlValue, device.sqlValue, person.sqlValue, method.rawValue.sqlValue,
            loginName.sqlValue, registeredAt.sqlValue, lastSignInAt.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            project: try row.identifier(), device: try row.identifier(),
            person: try row.identifier(), method: try row.word(), loginName: try row.text(),
            registeredAt: try row.time(), lastSignInAt: try row.optionalTime())
    }
}

extension RegistrationToken {
    static let columns = Columns(
        "id project_id hash label serial maximum_uses uses created_at expires_at revoked_at owner")

    var values: [SQLValue] {
        [
            id.sqlValue, project.sqlValue, hash.sqlValue, label.sqlValue, serial.sqlValue,
            maximumUses.sqlValue, uses.sqlValue, createdAt.sqlValue, expiresAt.sqlValue,
            revokedAt.sqlValue, owner.sqlValue,
        ]
    }

    init(_ row: inout SQLRow) throws {
        self.init(
            id: try row.identifier(), project: try row.identifier(), hash: try row.bytes(),
            label: try row.text(), serial: try row.optionalText(),
            maximumUses: try row.integer(), uses: try row.integer(), createdAt: try row.time(),
            expiresAt: try row.time(), revokedAt: try row.optionalTime(), owner: try row.text())
    }
}
