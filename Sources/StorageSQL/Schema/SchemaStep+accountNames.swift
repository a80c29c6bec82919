// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// The names of local accounts on devices, unique in a project (``Person/accountName``). A
    /// person receives one at the first request of a device.
    static let accountNames: [SchemaStep] = [
        step(121, "people_account_name", "ALTER TABLE people ADD COLUMN account_name {text}"),
        step(
            122, "people_by_account_name",
            """
            CREATE UNIQUE INDEX people_by_account_name ON people (project_id, account_name)
            WHERE account_name IS NOT NULL
            """),
    ]
}
