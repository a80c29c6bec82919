// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

private let amountsOfPerson = """
    SELECT name, amount FROM expendable_entitlements WHERE person_id = $1 ORDER BY name LIMIT 1000
    """
private let amountOf = """
    SELECT amount FROM expendable_entitlements WHERE person_id = $1 AND name = $2
    """
/// Consumes with one conditional change: of two concurrent consumers of the last amount, the second
/// finds too little.
private let amountTake = """
    UPDATE expendable_entitlements SET amount = amount + $3
    WHERE person_id = $1 AND name = $2 AND amount + $3 >= 0 RETURNING amount
    """
private let amountGive = """
    INSERT INTO expendable_entitlements (person_id, name, amount)
    SELECT id, $2, CAST($3 AS bigint) FROM people WHERE id = $1
    ON CONFLICT (person_id, name) DO UPDATE
    SET amount = expendable_entitlements.amount + excluded.amount
    WHERE expendable_entitlements.amount + excluded.amount <= 9007199254740991 RETURNING amount
    """
private let changeInsert = """
    INSERT INTO expendable_changes (person_id, request_id, amounts, outcome, expires_at)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING request_id
    """
private let changeByRequest = """
    SELECT amounts, outcome FROM expendable_changes WHERE person_id = $1 AND request_id = $2
    """
private let personExists = "SELECT 1 FROM people WHERE id = $1"

extension SQLEntitlements {
    func expendables(of person: Identifier<Person>) async throws -> [String: Int64] {
        let amounts = try await all(
            { (try $0.text(), try $0.integer()) }, amountsOfPerson, person)
        return Dictionary(amounts) { $1 }
    }

    /// Changes amounts with conditional updates and an insert. The reason of a refusal is read
    /// after the rollback.
    func changeExpendables(
        _ change: ExpendableChange, recording event: AuditEvent
    ) async throws -> ExpendableOutcome {
        do {
            return .changed(try await make(change, event))
        } catch let obstacle as ExpendableChangeAborted {
            return try await explain(change, obstacle)
        }
    }

    private func make(
        _ change: ExpendableChange, _ event: AuditEvent
    ) async throws -> [String: Int64] {
        try await engine.write { connection in
            var left: [String: Int64] = [:]
            // In order of name, so that two changes do not deadlock.
            for (name, amount) in change.amounts.sorted(by: { $0.key < $1.key }) {
                let statement = amount < 0 ? amountTake : amountGive
                guard
                    var row = try connection.change(
                        returning: statement, change.person, name, amount
                    ).first
                else { throw ExpendableChangeAborted(name: name) }
                left[name] = try row.integer()
            }
            let made = try connection.change(
                returning: changeInsert, change.person, change.request,
                AmountText.encode(change.amounts),
                AmountText.encode(left), change.rememberedUntil)
            guard !made.isEmpty else { throw ExpendableChangeAborted(name: nil) }
            _ = try connection.change(auditInsert, arguments: event.values)
            return left
        }
    }

    /// Returns the first reason that applies: a repeated request has precedence.
    private func explain(
        _ change: ExpendableChange, _ obstacle: ExpendableChangeAborted
    ) async throws -> ExpendableOutcome {
        try await engine.read { connection in
            let earlier = try connection.query(changeByRequest, change.person, change.request)
                .firstRecord { (try $0.text(), try $0.text()) }
            if let (amounts, outcome) = earlier {
                return amounts == AmountText.encode(change.amounts)
                    ? .repeated(try AmountText.decode(outcome)) : .requestTaken
            }
            guard let name = obstacle.name, let amount = change.amounts[name] else {
                throw StorageError(.contention, "a change of expendables was made and forgotten")
            }
            guard try connection.first(personExists, change.person) != nil else {
                return .unknownPerson
            }
            guard amount < 0 else { return .tooMuch(name) }
            let left = try connection.query(amountOf, change.person, name)
                .firstRecord { try $0.integer() }
            return .tooLittle(name, left: left ?? 0)
        }
    }
}

/// Rolls back a change that is not possible: because of the named entitlement, or of its request.
private struct ExpendableChangeAborted: Error {
    let name: String?
}

/// Amounts in one column: `NAME=AMOUNT`, in order of name, one space between them.
private enum AmountText {
    static func encode(_ amounts: [String: Int64]) -> String {
        amounts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    static func decode(_ text: String) throws -> [String: Int64] {
        var amounts: [String: Int64] = [:]
        for word in text.split(separator: " ") {
            let parts = word.split(separator: "=")
            guard parts.count == 2, let amount = Int64(parts[1]) else {
                throw StorageError(.corrupt, "amounts cannot be read")
            }
            amounts[String(parts[0])] = amount
        }
        return amounts
    }
}
