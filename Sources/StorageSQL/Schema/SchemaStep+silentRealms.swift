// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// Whose word counts for nothing in a project, see ``DisabledRealms``. Of a project of before, or
    /// of one that an older version makes meanwhile, it is not known: migrating finds it out.
    static let silentRealms: [SchemaStep] = [
        step(
            106, "projects_silent_realms",
            "ALTER TABLE projects ADD COLUMN silent_realms {text}")
    ]
}
