// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where PINs of app installations are kept. They are made by ``InstallationStore/register(_:recording:)``.
package protocol ProfilePINStore: Sendable {
    func pin(of keyID: [UInt8], in project: Identifier<Project>) async throws -> StoredPIN?

    /// In one durable step: uses up the nonce, puts the successor in the place of the PIN that has
    /// that revision, and writes the event. Nothing changes unless all of it can.
    ///
    /// Everything that bounds guessing rests on this: of all that was judged at one moment, one
    /// settles.
    func settle(_ change: PINChange) async throws -> PINChangeOutcome
}

/// What one request about a PIN comes to.
package struct PINChange: Sendable, Equatable {
    package enum Successor: Sendable, Equatable {
        case content(String)
        /// The PIN is over: its installation, the installation's key and all that was given to it
        /// end in the same step.
        case ended(String)
    }

    package var project: Identifier<Project>
    package var keyID: [UInt8]
    /// Of the PIN that was judged.
    package var revision: Int64
    /// `nil` when only the nonce is used up.
    package var successor: Successor?
    package var nonce: OneTimeUse
    package var now: Timestamp
    /// Written in the same step.
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

/// Everything but `settled` has changed nothing.
package enum PINChangeOutcome: Sendable, Equatable {
    case settled
    /// The PIN has another revision by now, is over, or is not there.
    case stale
    /// The nonce was used; also said when the PIN is stale as well.
    case nonceGone
}
