// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// The index for the request number of an error page. Only refused events are in it, so that it
    /// adds no cost to each token.
    static let auditByRequest: [SchemaStep] = [
        step(
            134, "audit_events_by_refused_request",
            """
            CREATE INDEX audit_events_by_refused_request ON audit_events (request_id)
            WHERE outcome = 'refused'
            """)
    ]
}
