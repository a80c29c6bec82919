// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// What happened of one kind, found without walking through all the rest: one index for an
    /// action in a project, and in any, as projects that know an action are few
    /// (``AuditByAction``).
    static let auditByAction: [SchemaStep] = [
        step(
            116, "audit_events_by_action",
            """
            CREATE INDEX audit_events_by_action ON audit_events (action, project_id, outcome, id)
            """)
    ]
}
