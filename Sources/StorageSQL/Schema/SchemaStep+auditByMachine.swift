// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// An index of the events of a device: the details of such an event begin with its device
    /// (``AuditEvent/details``).
    static let auditByMachine: [SchemaStep] = [
        step(
            107, "audit_events_by_device",
            """
            CREATE INDEX audit_events_by_device ON audit_events (substr(details, 1, 48), id)
            WHERE substr(details, 1, 11) = '{"device":"'
            """)
    ]
}
