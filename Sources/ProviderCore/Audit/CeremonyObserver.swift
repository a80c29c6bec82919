// SPDX-License-Identifier: Apache-2.0
package import Storage

/// An observer of audited ceremonies, which counts them for the metrics. It is called before the
/// event is durable.
package protocol CeremonyObserver: Sendable {
    func observe(action: String, outcome: AuditEvent.Outcome)
}
