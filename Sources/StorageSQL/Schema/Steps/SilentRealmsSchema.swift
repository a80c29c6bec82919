// SPDX-License-Identifier: Apache-2.0

/// The disabled realms of a project, see ``DisabledRealms``. The value is `NULL` for existing
/// projects and for those from a concurrent older version; the migration computes it.
enum SilentRealmsSchema {
    static let steps: [SchemaStep] = [
        .step(
            106, "projects_silent_realms",
            "ALTER TABLE projects ADD COLUMN silent_realms {text}")
    ]
}
