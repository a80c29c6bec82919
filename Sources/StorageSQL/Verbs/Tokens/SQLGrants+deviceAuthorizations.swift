// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let columns = DeviceAuthorization.columns
/// Limits unexpired rows only: expired rows that are not yet deleted do not cause a refusal.
private let deviceInsert = """
    INSERT INTO device_authorizations (\(columns.list)) SELECT \(columns.parameters)
    WHERE (SELECT count(*) FROM device_authorizations WHERE client_id = \(columns["client_id"])
    AND expires_at > \(columns.after(1))) < CAST(\(columns.after(2)) AS bigint)
    AND (SELECT count(*) FROM device_authorizations WHERE project_id = \(columns["project_id"])
    AND expires_at > \(columns.after(1))) < CAST(\(columns.after(3)) AS bigint)
    RETURNING device_code_hash
    """
private let deviceByUserCode = """
    SELECT \(DeviceAuthorization.columns.list) FROM device_authorizations
    WHERE user_code_hash = $1 AND state = 'pending' AND expires_at > $2 AND project_id = $3
    AND EXISTS (SELECT 1 FROM clients c WHERE c.id = device_authorizations.client_id
    AND c.disabled = 0)
    """
private let deviceDecide = """
    UPDATE device_authorizations SET state = $3, grant_id = $4
    WHERE user_code_hash = $1 AND state = 'pending' AND expires_at > $2
    RETURNING expires_at
    """
private let deviceByDeviceCode = """
    SELECT state, grant_id, last_polled_at, poll_interval, expires_at FROM device_authorizations
    WHERE device_code_hash = $1 AND client_id = $2
    """
private let devicePolled = """
    UPDATE device_authorizations SET last_polled_at = $2, poll_interval = $3
    WHERE device_code_hash = $1
    """
private let deviceRedeemed = """
    UPDATE device_authorizations SET state = 'redeemed' WHERE device_code_hash = $1
    """
/// Activates a grant that was approved elsewhere, at its redemption.
let grantRedeem = """
    UPDATE grants SET redeemed_at = $3, generation = $2, rotated_at = $3,
    delete_after = expires_at
    WHERE id = $1 AND redeemed_at IS NULL AND revoked_at IS NULL
    RETURNING \(Grant.columns.list)
    """

extension SQLGrants {
    func save(
        _ authorization: DeviceAuthorization, within limits: OpenAuthorizations, now: Timestamp
    ) async throws -> Bool {
        let bounds = [now.sqlValue, limits.ofClient.sqlValue, limits.ofProject.sqlValue]
        return try await !engine.change(deviceInsert, arguments: authorization.values(and: bounds))
            .isEmpty
    }

    func deviceAuthorization(
        userCodeHash: [UInt8], of project: Identifier<Project>, within budgets: [AttemptBudget],
        window: TimeSpan, now: Timestamp
    ) async throws -> UserCodeOutcome {
        do {
            return try await engine.write { connection in
                // The counts are held while the code is compared, and rolled back if it is right.
                if let end = try connection.count(in: budgets, window: window, now) {
                    throw UserCodeOutcome.limited(until: end)
                }
                let found = try connection.query(deviceByUserCode, userCodeHash, now, project)
                    .firstRecord(DeviceAuthorization.init)
                if let found { throw UserCodeOutcome.found(found) }
                return .wrong
            }
        } catch let outcome as UserCodeOutcome {
            return outcome
        }
    }

    func decideDeviceAuthorization(
        userCodeHash: [UInt8], grant: Grant?, now: Timestamp
    ) async throws -> Bool {
        let state = grant == nil ? DeviceAuthorization.State.denied : .approved
        let insert = dialect.grantInsert
        return try await engine.write { connection in
            let decided = try connection.change(
                returning: deviceDecide, userCodeHash, now, state.rawValue, grant?.id)
            guard let end = try decided.firstRecord({ try $0.time() }) else { return false }
            guard let grant else { return true }
            let made = try connection.change(
                returning: insert, arguments: grant.pendingValues(deleteAfter: end))
            if made.isEmpty {
                throw StorageError(.missingParent, "a grant needs its person and its client")
            }
            return true
        }
    }

    func pollDeviceAuthorization(
        deviceCodeHash: [UInt8], client: Identifier<Client>, generation: Int64, now: Timestamp
    ) async throws -> DevicePollOutcome {
        let held = deviceByDeviceCode + dialect.forUpdate
        return try await engine.write { connection in
            let found = try connection.query(held, deviceCodeHash, client)
                .firstRecord(PolledDevice.init)
            guard let found else { return .unknown }
            if found.state == .redeemed { return .unknown }
            if found.expiresAt <= now { return .expired }
            if found.state == .denied { return .denied }
            if found.isEarly(now) {
                _ = try connection.change(devicePolled, deviceCodeHash, now, found.interval + 5)
                return .slowDown
            }
            guard found.state == .approved, let grant = found.grant else {
                _ = try connection.change(devicePolled, deviceCodeHash, now, found.interval)
                return .pending
            }
            _ = try connection.change(deviceRedeemed, deviceCodeHash)
            let made = try connection.change(returning: grantRedeem, grant, generation, now)
                .firstRecord(Grant.init)
            return made.map(DevicePollOutcome.approved) ?? .denied
        }
    }
}

/// The state that one poll reads.
private struct PolledDevice {
    let state: DeviceAuthorization.State
    let grant: Identifier<Grant>?
    let lastPolledAt: Timestamp?
    let interval: Int64
    let expiresAt: Timestamp

    init(_ row: inout SQLRow) throws {
        state = try row.word()
        grant = try row.optionalIdentifier()
        lastPolledAt = try row.optionalTime()
        interval = try row.integer()
        expiresAt = try row.time()
    }

    func isEarly(_ now: Timestamp) -> Bool {
        guard let lastPolledAt else { return false }
        return now < lastPolledAt + .seconds(interval)
    }
}
