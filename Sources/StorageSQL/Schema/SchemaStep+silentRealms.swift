// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// The disabled realms of a project, see ``DisabledRealms``. The value is `NULL` for existing
    /// projects and for those from a concurrent older version; the migration computes it.
    static let silentRealms: [SchemaStep] = [
        step(
            106, "projects_silent_realms",
            "ALTER TABLE projects ADD COLUMN silent_realms {text}")
    ]
}
