// SPDX-License-Identifier: Apache-2.0

/// The external object that a session depends on and ends with.
enum SessionOriginsSchema {
    static let steps: [SchemaStep] = [
        .step(
            102, "sessions_rests_on",
            "ALTER TABLE sessions ADD COLUMN rests_on {bytes}"),
        .step(
            103, "sessions_by_origin",
            """
            CREATE INDEX sessions_by_origin ON sessions (rests_on)
            WHERE rests_on IS NOT NULL
            """),
    ]
}
