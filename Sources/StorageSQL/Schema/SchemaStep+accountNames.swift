// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// What accounts on machines are called, once in a project (``Person/accountName``). A person is
    /// given theirs when a machine first asks.
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
