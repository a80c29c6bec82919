// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where approvals are kept, and which installations are asked.
package protocol ApprovalStore: Sendable {
    /// Inserts the approval and writes `event`, in one step.
    func save(_ approval: Approval, recording event: AuditEvent) async throws
    func approval(_ id: Identifier<Approval>) async throws -> Approval?
    /// Living and undecided, oldest first; at most 100.
    func pendingApprovals(
        of person: Identifier<Person>, now: Timestamp
    ) async throws -> [Approval]
    /// Whatever their state, newest first: what is over stays until the sweep.
    func approvals(of person: Identifier<Person>, limit: Int) async throws -> [Approval]
    /// Binds the approval with that code to the first who brings it. The same installation may
    /// bring it again. `nil` for everybody else, and for one that is decided, over or unknown.
    func claimApproval(
        codeHash: [UInt8], for person: Identifier<Person>,
        at installation: Identifier<Installation>, now: Timestamp
    ) async throws -> Approval?
    /// Decides once, makes the grant of an approval, and writes `event`, in one step. `false` when
    /// it was decided before, is over, or waits for another person or installation.
    func decideApproval(
        _ decision: ApprovalDecision, now: Timestamp, recording event: AuditEvent
    ) async throws -> Bool
    /// One poll of the client. What was approved is fetched by exactly one poll, which makes the
    /// grant good; by none when the installation that approved it is gone.
    func pollApproval(
        requestHash: [UInt8], client: Identifier<Client>, generation: Int64, now: Timestamp
    ) async throws -> ApprovalPollOutcome

    /// Inserts, or replaces the push token of the one that is there.
    func save(_ enrollment: ApprovalEnrollment) async throws
    func approvalEnrollment(
        of installation: Identifier<Installation>
    ) async throws -> ApprovalEnrollment?
    func approvalEnrollments(
        of person: Identifier<Person>
    ) async throws -> [ApprovalEnrollment]
    /// `false` when there was none.
    func removeApprovalEnrollment(of installation: Identifier<Installation>) async throws -> Bool
}

/// What a person has said, and where.
package struct ApprovalDecision: Sendable, Equatable {
    package var approval: Identifier<Approval>
    package var person: Identifier<Person>
    package var installation: Identifier<Installation>
    /// What the client is given; `nil` for a no.
    package var grant: Grant?
    /// As the installation has signed it.
    package var answer: String

    package init(
        approval: Identifier<Approval>, person: Identifier<Person>,
        installation: Identifier<Installation>, grant: Grant?, answer: String
    ) {
        self.approval = approval
        self.person = person
        self.installation = installation
        self.grant = grant
        self.answer = answer
    }
}

package enum ApprovalPollOutcome: Sendable, Equatable {
    case pending
    /// Polled too early; the interval has grown by five seconds.
    case slowDown
    case denied
    case approved(Grant, Approval)
    case expired
    case unknown
}
