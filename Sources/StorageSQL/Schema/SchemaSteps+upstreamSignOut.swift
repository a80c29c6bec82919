// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// By what an upstream provider ends the sessions that rest on its word.
    static let upstreamSignOut: [SchemaStep] = [
        step(
            110, "sessions_upstream_session",
            "ALTER TABLE sessions ADD COLUMN upstream_session {bytes}"),
        step(
            111, "sessions_by_upstream_session",
            """
            CREATE INDEX sessions_by_upstream_session ON sessions (upstream_session)
            WHERE upstream_session IS NOT NULL
            """),
    ]
}
