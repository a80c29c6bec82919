// SPDX-License-Identifier: Apache-2.0

/// Credentials of administrators that await the approval of another administrator. They are
/// few, and only they are in the index.
enum AwaitedApprovalsSchema {
    static let steps: [SchemaStep] = [
        .step(
            125, "credentials_awaiting_approval",
            "ALTER TABLE credentials ADD COLUMN awaits_approval {integer} NOT NULL DEFAULT 0"),
        .step(
            126, "credentials_by_awaited_approval",
            """
            CREATE INDEX credentials_by_awaited_approval ON credentials (id)
            WHERE awaits_approval = 1
            """),
    ]
}
