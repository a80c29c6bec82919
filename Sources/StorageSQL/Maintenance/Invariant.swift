// SPDX-License-Identifier: Apache-2.0

/// A condition of every valid store that the engine does not enforce.
package struct Invariant: Sendable {
    let violation: String
    /// The query for violations; its one column is their count.
    let count: String

    static let all: [Invariant] = parents + upstream + families + keys + devices

    /// Every row belongs to an owner of the same project.
    private static let parents: [Invariant] = [
        Invariant("credentials without their person", orphans("credentials", "person", "people")),
        Invariant("sessions without their person", orphans("sessions", "person", "people")),
        Invariant("grants without their person", orphans("grants", "person", "people")),
        Invariant("grants without their client", orphans("grants", "client", "clients")),
        Invariant("consents without their person", orphans("consents", "person", "people")),
        Invariant("consents without their client", orphans("consents", "client", "clients")),
        Invariant(
            "people without their realm",
            """
            SELECT count(*) FROM people p LEFT JOIN realms r ON r.project_id = p.project_id
            AND r.name = p.realm WHERE p.realm IS NOT NULL AND r.name IS NULL
            """),
        Invariant(
            "members of groups of another project",
            """
            SELECT count(*) FROM group_members g JOIN people p ON p.id = g.person_id
            WHERE p.project_id <> g.project_id
            """),
        Invariant(
            "installations without their person", orphans("installations", "person", "people")),
        Invariant(
            "installations without their key",
            """
            SELECT count(*) FROM installations i LEFT JOIN credentials c ON c.id = i.credential_id
            AND c.person_id = i.person_id WHERE i.credential_id IS NOT NULL AND c.id IS NULL
            """),
    ]

    private static let upstream: [Invariant] = [
        Invariant(
            "credentials of upstream providers of another project",
            """
            SELECT count(*) FROM credentials c JOIN upstream_providers u ON u.id = c.upstream_id
            WHERE u.project_id <> c.project_id
            """),
        Invariant(
            "expendable entitlements below zero",
            "SELECT count(*) FROM expendable_entitlements WHERE amount < 0"),
    ]

    private static let families: [Invariant] = [
        Invariant(
            "grants with refresh tokens but without a redeemed code",
            "SELECT count(*) FROM grants WHERE redeemed_at IS NULL AND generation > 0"),
        Invariant(
            "active grants of disabled people",
            """
            SELECT count(*) FROM grants g JOIN people p ON p.id = g.person_id
            WHERE p.disabled <> 0 AND g.revoked_at IS NULL
            """),
        Invariant(
            "sessions of disabled people",
            """
            SELECT count(*) FROM sessions s JOIN people p ON p.id = s.person_id
            WHERE p.disabled <> 0
            """),
        Invariant(
            "device authorizations that disagree with their grant",
            """
            SELECT count(*) FROM device_authorizations d JOIN grants g ON g.id = d.grant_id
            WHERE (d.state = 'approved' AND g.redeemed_at IS NOT NULL)
            OR (d.state = 'redeemed' AND g.redeemed_at IS NULL AND g.revoked_at IS NULL)
            """),
        Invariant(
            "approvals that disagree with their grant",
            """
            SELECT count(*) FROM approvals a JOIN grants g ON g.id = a.grant_id
            WHERE (a.state = 'approved' AND g.redeemed_at IS NOT NULL)
            OR (a.state = 'redeemed' AND g.redeemed_at IS NULL AND g.revoked_at IS NULL)
            """),
        Invariant(
            "people with more than one password",
            """
            SELECT count(*) FROM (SELECT person_id FROM credentials WHERE kind = 'password'
            GROUP BY person_id HAVING count(*) > 1) AS several
            """),
    ]

    private static let keys: [Invariant] = [
        Invariant(
            "signing keys that share a place",
            """
            SELECT count(*) FROM (SELECT project_id FROM signing_keys
            WHERE state IN ('next', 'active') GROUP BY project_id, algorithm, state
            HAVING count(*) > 1) AS several
            """)
    ]

    private static let devices: [Invariant] = [
        Invariant(
            "device users without their device", orphans("device_users", "device", "devices")),
        Invariant("device users without their person", orphans("device_users", "person", "people")),
        Invariant("device keys without their device", orphans("device_keys", "device", "devices")),
        Invariant("unlock keys without their device", orphans("unlock_keys", "device", "devices")),
        Invariant(
            "active grants of revoked devices",
            """
            SELECT count(*) FROM grants g JOIN devices d ON d.id = g.device_id
            WHERE d.revoked_at IS NOT NULL AND g.revoked_at IS NULL
            """),
    ]

    private init(_ violation: String, _ count: String) {
        self.violation = violation
        self.count = count
    }

    private static func orphans(_ table: String, _ parent: String, _ parents: String) -> String {
        """
        SELECT count(*) FROM \(table) t LEFT JOIN \(parents) p ON p.id = t.\(parent)_id
        AND p.project_id = t.project_id WHERE p.id IS NULL
        """
    }

    /// Returns the violations as sentences.
    package static func violations(_ connection: any SQLConnection) throws -> [String] {
        try all.compactMap { invariant in
            guard var row = try connection.first(invariant.count) else { return nil }
            let count = try row.integer()
            return count == 0 ? nil : "\(count) \(invariant.violation)"
        }
    }
}
