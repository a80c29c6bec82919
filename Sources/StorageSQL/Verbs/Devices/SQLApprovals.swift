// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let approvalInsert = Approval.columns.insert(into: "approvals")
private let approvalByID = "SELECT \(Approval.columns.list) FROM approvals WHERE id = $1"
private let approvalsPending = """
    SELECT \(Approval.columns.list) FROM approvals
    WHERE person_id = $1 AND state = 'pending' AND expires_at > $2
    ORDER BY created_at, id LIMIT 100
    """
private let approvalsOfPerson = """
    SELECT \(Approval.columns.list) FROM approvals
    WHERE person_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2
    """
private let approvalClaim = """
    UPDATE approvals SET person_id = $2, installation_id = $3
    WHERE code_hash = $1 AND state = 'pending' AND expires_at > $4
    AND (person_id IS NULL OR (person_id = $2 AND installation_id = $3))
    RETURNING \(Approval.columns.list)
    """
private let approvalDecide = """
    UPDATE approvals SET installation_id = $3, state = $4, grant_id = $5, answer = $6
    WHERE id = $1 AND person_id = $2 AND state = 'pending' AND expires_at > $7
    AND (installation_id IS NULL OR installation_id = $3)
    RETURNING expires_at
    """
private let approvalByRequest = """
    SELECT grant_id, last_polled_at, \(Approval.columns.list) FROM approvals
    WHERE request_hash = $1 AND client_id = $2
    """
private let approvalPolled = """
    UPDATE approvals SET last_polled_at = $2, poll_interval = $3 WHERE request_hash = $1
    """
private let approvalPlace = "SELECT id FROM installations WHERE id = $1"
private let approvalRedeemed = """
    UPDATE approvals SET state = 'redeemed' WHERE request_hash = $1
    """
private let enrollmentSave = ApprovalEnrollment.columns.upsert(
    into: "approval_enrollments", key: "installation_id", except: "enrolled_at")
private let enrollmentRead = """
    SELECT \(ApprovalEnrollment.columns.list) FROM approval_enrollments WHERE installation_id = $1
    """
private let enrollmentsOfPerson = """
    SELECT \(ApprovalEnrollment.columns.of("e")) FROM installations i
    JOIN approval_enrollments e ON e.installation_id = i.id WHERE i.person_id = $1
    """
private let enrollmentDelete = """
    DELETE FROM approval_enrollments WHERE installation_id = $1 RETURNING installation_id
    """

/// Approval requests, and the installations that receive them.
struct SQLApprovals: ApprovalStore, SQLCapability {
    let database: SQLDatabase

    func save(_ approval: Approval, recording event: AuditEvent) async throws {
        try await engine.write { connection in
            _ = try connection.change(approvalInsert, arguments: approval.values)
            _ = try connection.change(auditInsert, arguments: event.values)
        }
    }

    func approval(_ id: Identifier<Approval>) async throws -> Approval? {
        try await one(Approval.init, approvalByID, id)
    }

    func pendingApprovals(
        of person: Identifier<Person>, now: Timestamp
    ) async throws -> [Approval] {
        try await all(Approval.init, approvalsPending, person, now)
    }

    func approvals(
        of person: Identifier<Person>, limit: Int
    ) async throws -> [Approval] {
        try await all(Approval.init, approvalsOfPerson, person, Int64(limit))
    }

    func claimApproval(
        codeHash: [UInt8], for person: Identifier<Person>,
        at installation: Identifier<Installation>, now: Timestamp
    ) async throws -> Approval? {
        try await engine.change(approvalClaim, codeHash, person, installation, now)
            .firstRecord(Approval.init)
    }

    func decideApproval(
        _ decision: ApprovalDecision, now: Timestamp, recording event: AuditEvent
    ) async throws -> Bool {
        let state = decision.grant == nil ? Approval.State.denied : .approved
        let insert = dialect.grantInsert
        return try await engine.write { connection in
            let decided = try connection.change(
                returning: approvalDecide, decision.approval, decision.person,
                decision.installation,
                state.rawValue, decision.grant?.id, decision.answer, now)
            guard let end = try decided.firstRecord({ try $0.time() }) else { return false }
            if let grant = decision.grant {
                let made = try connection.change(
                    returning: insert, arguments: grant.pendingValues(deleteAfter: end))
                if made.isEmpty {
                    throw StorageError(.missingParent, "a grant needs its person and its client")
                }
            }
            _ = try connection.change(auditInsert, arguments: event.values)
            return true
        }
    }

    func pollApproval(
        requestHash: [UInt8], client: Identifier<Client>, generation: Int64, now: Timestamp
    ) async throws -> ApprovalPollOutcome {
        let held = approvalByRequest + dialect.forUpdate
        return try await engine.write { connection in
            let found = try connection.query(held, requestHash, client)
                .firstRecord(PolledApproval.init)
            guard let found, found.approval.state != .redeemed else { return .unknown }
            if found.approval.expiresAt <= now { return .expired }
            if found.approval.state == .denied { return .denied }
            let interval = found.approval.interval
            if found.isEarly(now) {
                _ = try connection.change(approvalPolled, requestHash, now, interval + 5)
                return .slowDown
            }
            guard found.approval.state == .approved, let grant = found.grant else {
                _ = try connection.change(approvalPolled, requestHash, now, interval)
                return .pending
            }
            // The installation was locked or deleted since, so its approval is invalid.
            let place = try connection.query(approvalPlace, found.approval.installation)
            if place.isEmpty { return .denied }
            _ = try connection.change(approvalRedeemed, requestHash)
            let made = try connection.change(returning: grantRedeem, grant, generation, now)
                .firstRecord(Grant.init)
            return made.map { .approved($0, found.approval) } ?? .denied
        }
    }

    // MARK: Installations

    func save(_ enrollment: ApprovalEnrollment) async throws {
        _ = try await engine.change(enrollmentSave, arguments: enrollment.values)
    }

    func approvalEnrollment(
        of installation: Identifier<Installation>
    ) async throws -> ApprovalEnrollment? {
        try await one(ApprovalEnrollment.init, enrollmentRead, installation)
    }

    func approvalEnrollments(
        of person: Identifier<Person>
    ) async throws -> [ApprovalEnrollment] {
        try await all(ApprovalEnrollment.init, enrollmentsOfPerson, person)
    }

    func removeApprovalEnrollment(
        of installation: Identifier<Installation>
    ) async throws -> Bool {
        try await !engine.change(enrollmentDelete, installation).isEmpty
    }
}

/// The state that one poll reads.
private struct PolledApproval {
    let grant: Identifier<Grant>?
    let lastPolledAt: Timestamp?
    let approval: Approval

    init(_ row: inout SQLRow) throws {
        grant = try row.optionalIdentifier()
        lastPolledAt = try row.optionalTime()
        approval = try Approval(&row)
    }

    func isEarly(_ now: Timestamp) -> Bool {
        guard let lastPolledAt else { return false }
        return now < lastPolledAt + .seconds(approval.interval)
    }
}
