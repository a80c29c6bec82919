// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// The trail of one client, and what was refused, found without walking through all that went
    /// well. What was refused is little, so that the rest costs no more to write; the index by
    /// client has an entry for every event that names one, each token of a person among them.
    static let auditSearch: [SchemaStep] = [
        step(
            111, "audit_events_by_client",
            """
            CREATE INDEX audit_events_by_client ON audit_events (client_id, id)
            WHERE client_id IS NOT NULL
            """),
        step(
            112, "audit_events_refused",
            """
            CREATE INDEX audit_events_refused ON audit_events (outcome, id)
            WHERE outcome = 'refused'
            """),
        step(
            113, "audit_events_refused_of_project",
            """
            CREATE INDEX audit_events_refused_of_project ON audit_events (project_id, outcome, id)
            WHERE outcome = 'refused'
            """),
    ]
}
