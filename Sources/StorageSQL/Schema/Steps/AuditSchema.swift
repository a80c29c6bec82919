// SPDX-License-Identifier: Apache-2.0

/// Indexes of the audit log.
enum AuditSchema {
    /// An index of events by action: one for an action in a project, and in any, because few
    /// projects use an action (``AuditByAction``).
    static let auditByAction: [SchemaStep] = [
        .step(
            116, "audit_events_by_action",
            """
            CREATE INDEX audit_events_by_action ON audit_events (action, project_id, outcome, id)
            """)
    ]

    /// An index of the events of a device: the details of such an event begin with its device
    /// (``AuditEvent/details``).
    static let auditByMachine: [SchemaStep] = [
        .step(
            107, "audit_events_by_device",
            """
            CREATE INDEX audit_events_by_device ON audit_events (substr(details, 1, 48), id)
            WHERE substr(details, 1, 11) = '{"device":"'
            """)
    ]

    /// An index of the refusals of one client: it may have millions of accepted events, and other
    /// clients of the project millions of refusals.
    static let auditRefusedOfClient: [SchemaStep] = [
        .index(
            162, "audit_events_refused_of_client",
            on: "audit_events (client_id, project_id, id) WHERE outcome = 'refused'")
    ]

    /// The index for the request number of an error page. Only refused events are in it, so that it
    /// adds no cost to each token.
    static let auditByRequest: [SchemaStep] = [
        .step(
            134, "audit_events_by_refused_request",
            """
            CREATE INDEX audit_events_by_refused_request ON audit_events (request_id)
            WHERE outcome = 'refused'
            """)
    ]

    /// Indexes of the events of one client and of refusals. Refusals are few, so the index does
    /// not slow down successful events. The index by client has an entry for every event with a
    /// client, including each token of a person.
    static let auditSearch: [SchemaStep] = [
        .step(
            111, "audit_events_by_client",
            """
            CREATE INDEX audit_events_by_client ON audit_events (client_id, id)
            WHERE client_id IS NOT NULL
            """),
        .step(
            112, "audit_events_refused",
            """
            CREATE INDEX audit_events_refused ON audit_events (outcome, id)
            WHERE outcome = 'refused'
            """),
        .step(
            113, "audit_events_refused_of_project",
            """
            CREATE INDEX audit_events_refused_of_project ON audit_events (project_id, outcome, id)
            WHERE outcome = 'refused'
            """),
    ]
}
