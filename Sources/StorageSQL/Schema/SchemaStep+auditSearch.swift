// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// Indexes of the events of one client and of refusals. Refusals are few, so the index does
    /// not slow down successful events. The index by client has an entry for every event with a
    /// client, including each token of a person.
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
