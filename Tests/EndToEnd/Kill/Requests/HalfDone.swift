// SPDX-License-Identifier: Apache-2.0
import StorageSQL

/// What a ceremony that was done by half would leave in a database, beyond what `store verify`
/// looks for: nothing of it is wrong for every provider, and all of it is after these stories.
enum HalfDone {
    private static let traces: [(what: String, count: String)] = [
        (
            "keys of installations that are not there",
            """
            SELECT count(*) FROM credentials c WHERE c.installation_id IS NOT NULL AND NOT EXISTS
            (SELECT 1 FROM installations i WHERE i.id = c.installation_id
            AND i.person_id = c.person_id)
            """
        ),
        (
            "sign-in keys of no installation",
            """
            SELECT count(*) FROM credentials c WHERE c.kind = 'sign_in_key'
            AND c.installation_id IS NULL AND NOT EXISTS
            (SELECT 1 FROM installations i WHERE i.credential_id = c.id)
            """
        ),
        (
            "active grants of installations that do not exist",
            """
            SELECT count(*) FROM grants g WHERE g.installation_id IS NOT NULL
            AND g.revoked_at IS NULL AND NOT EXISTS
            (SELECT 1 FROM installations i WHERE i.id = g.installation_id)
            """
        ),
        (
            "registered people without any credential",
            """
            SELECT count(*) FROM people p WHERE p.origin <> '' AND NOT EXISTS
            (SELECT 1 FROM credentials c WHERE c.person_id = p.id) AND NOT EXISTS
            (SELECT 1 FROM installations i WHERE i.person_id = p.id)
            """
        ),
        (
            "approvals with a yes and no grant",
            """
            SELECT count(*) FROM approvals WHERE state IN ('approved', 'redeemed')
            AND grant_id IS NULL
            """
        ),
        (
            "device codes with a yes and no grant",
            """
            SELECT count(*) FROM device_authorizations WHERE state IN ('approved', 'redeemed')
            AND grant_id IS NULL
            """
        ),
        (
            "links to a provider that names nobody",
            """
            SELECT count(*) FROM credentials c WHERE c.upstream_id IS NOT NULL
            AND (c.kind <> 'federated_identity' OR length(c.external_id) = 0)
            """
        ),
    ]

    static func found(_ connection: any SQLConnection) throws -> [String] {
        try traces.compactMap { trace in
            guard var row = try connection.first(trace.count) else { return nil }
            let count = try row.integer()
            return count == 0 ? nil : "\(count) \(trace.what)"
        }
    }
}
