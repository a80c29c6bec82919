// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// An index of events by action: one for an action in a project, and in any, because few
    /// projects use an action (``AuditByAction``).
    static let auditByAction: [SchemaStep] = [
        step(
            116, "audit_events_by_action",
            """
            CREATE INDEX audit_events_by_action ON audit_events (action, project_id, outcome, id)
            """)
    ]
}
