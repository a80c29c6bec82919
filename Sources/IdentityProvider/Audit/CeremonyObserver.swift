// SPDX-License-Identifier: Apache-2.0
package import Storage

/// Who counts ceremonies as they are audited: the metrics. Told before the event is durable.
package protocol CeremonyObserver: Sendable {
    func observe(action: String, outcome: AuditEvent.Outcome)
}
