// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of PINs of app installations. ``InstallationStore/register(_:recording:)`` inserts them.
package protocol ProfilePINStore: Sendable {
    func pin(of keyID: [UInt8], in project: Identifier<Project>) async throws -> StoredPIN?

    /// Consumes the nonce, replaces the PIN of that revision by its successor and writes the event,
    /// in one durable transaction. It applies all of them or none.
    ///
    /// The attempt limit depends on this: of all concurrent changes of one revision, one succeeds.
    func apply(_ change: PINChange) async throws -> PINChangeOutcome
}

/// The change that one request makes to a PIN.
package struct PINChange: Sendable, Equatable {
    package enum Successor: Sendable, Equatable {
        case content(String)
        /// The PIN is terminated: its installation, the installation's key and all its grants end
        /// in the same transaction.
        case ended(String)
    }

    package var project: Identifier<Project>
    package var keyID: [UInt8]
    /// The revision that the change is based on.
    package var revision: Int64
    /// `nil` if only the nonce is consumed.
    package var successor: Successor?
    package var nonce: OneTimeUse
    package var now: Timestamp
    /// Written in the same transaction.
    package var event: AuditEvent?

    package init(
        project: Identifier<Project>, keyID: [UInt8], revision: Int64, successor: Successor?,
        nonce: OneTimeUse, now: Timestamp, event: AuditEvent? = nil
    ) {
        self.project = project
        self.keyID = keyID
        self.revision = revision
        self.successor = successor
        self.nonce = nonce
        self.now = now
        self.event = event
    }
}

/// The outcome of a change. Every outcome except the first changed nothing.
package enum PINChangeOutcome: Sendable, Equatable {
    case applied
    /// The PIN has another revision, is terminated or does not exist.
    case stale
    /// The nonce was consumed; also returned if the PIN is stale as well.
    case nonceGone
}
