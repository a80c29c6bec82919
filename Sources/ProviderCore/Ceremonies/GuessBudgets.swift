// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

/// The attempt limits for secrets that a person knows. Only failed attempts are counted.
///
/// A pending attempt is not counted, so any number of concurrent successful attempts is accepted.
/// The budgets are read before the attempt and again after a success. If they were exhausted in
/// between, the success is refused like a failure.
package struct GuessBudgets: Sendable {
    private struct Budget: Sendable {
        let bucket: [UInt8]
        let limit: Int
    }

    private let counter: AttemptCounter
    /// The budget of the person or the browser. A success resets it.
    private let own: Budget?
    /// The budget of the IP address, or of all known browsers of a person. A success does not reset
    /// it, so that the owner of one account cannot reset the count of attempts at others.
    private let shared: Budget

    private init(_ counter: AttemptCounter, own: [UInt8]?, knownBrowsers: [UInt8]? = nil) {
        let limits = counter.context.limits
        self.counter = counter
        self.own = own.map { Budget(bucket: $0, limit: limits.perAccount) }
        shared =
            knownBrowsers.map { Budget(bucket: $0, limit: limits.perAccountKnown) }
            ?? Budget(bucket: counter.addressBucket, limit: limits.perAddress)
    }

    /// The budget for the password of `person`, or of an unknown `name`. A browser in which the
    /// person has signed in before has a separate budget, so that attempts at the person from
    /// elsewhere, or from the same IP address, do not exhaust it. The known browsers of a person
    /// also share a budget, because each sign-in without the cookie creates one.
    package static func password(
        of person: Person?, named name: String?, in context: CeremonyContext
    ) -> GuessBudgets {
        let counter = AttemptCounter(context: context)
        if let person, let browser = context.facts.knownBrowser, browser.knows(person.id) {
            let own = counter.bucket("browser", "\(browser.id)\u{0}\(person.id)")
            return GuessBudgets(
                counter, own: own,
                knownBrowsers: counter.bucket("browsers", person.id.description))
        }
        let account = person?.qualifiedName ?? name ?? ""
        return GuessBudgets(counter, own: counter.bucket("account", account))
    }

    /// The budget for recovery codes. It is separate, so that wrong passwords do not block the
    /// recovery.
    package static func recoveryCode(
        of person: Person?, named name: String?, in context: CeremonyContext
    ) -> GuessBudgets {
        let counter = AttemptCounter(context: context)
        let account = person?.qualifiedName ?? name ?? ""
        return GuessBudgets(counter, own: counter.bucket("recovery", account))
    }

    /// The budget for another secret of one owner.
    package static func other(_ owner: String, in context: CeremonyContext) -> GuessBudgets {
        let counter = AttemptCounter(context: context)
        return GuessBudgets(counter, own: counter.bucket("account", owner))
    }

    /// The budget for secrets that another service verifies.
    package static func address(in context: CeremonyContext) -> GuessBudgets {
        GuessBudgets(AttemptCounter(context: context), own: nil)
    }

    /// Runs one attempt.
    ///
    /// - Parameters:
    ///   - isGuess: whether a refusal means that the secret was wrong.
    ///   - isWrong: whether a success contains a wrong secret.
    package func attempt<Value>(
        isGuess: (CeremonyRefusal) -> Bool = \.isWrongAnswer,
        counting isWrong: (Value) -> Bool = { _ in false },
        _ look: () async throws -> Result<Value, CeremonyRefusal>
    ) async throws -> Result<Value, CeremonyRefusal> {
        if let declined = try await usedUp().declined { return .failure(declined) }
        let outcome = try await look()
        switch outcome {
        case .success(let value) where isWrong(value): _ = try await countWrong()
        case .success:
            let (declined, ownCount) = try await usedUp()
            if let declined { return .failure(declined) }
            if let own, ownCount > 0 { try await attempts.clearAttempts(bucket: own.bucket) }
        case .failure(let refused) where isGuess(refused):
            if var declined = try await countWrong() {
                declined.person = refused.person
                return .failure(declined)
            }
        case .failure: break
        }
        return outcome
    }

    private var attempts: any AttemptStore { counter.context.store.attempts }
    private var all: [Budget] { [own, shared].compactMap(\.self) }

    private func usedUp() async throws -> (declined: CeremonyRefusal?, ownCount: Int) {
        let now = counter.context.now
        let counted = try await attempts.attempts(in: all.map(\.bucket), now: now)
        let ends = all.compactMap { budget -> Timestamp? in
            guard let found = counted[budget.bucket], found.count >= budget.limit else {
                return nil
            }
            return found.resetsAt
        }
        let declined = ends.max().map {
            CeremonyRefusal.tooManyAttempts(retryAfter: max(1, ($0 - now).seconds))
        }
        return (declined, own.flatMap { counted[$0.bucket]?.count } ?? 0)
    }

    /// Counts a failed attempt. The attempt that reaches the limit still receives its normal
    /// refusal.
    private func countWrong() async throws -> CeremonyRefusal? {
        var declined: CeremonyRefusal?
        for budget in all {
            declined = try await counter.count(budget.bucket, limit: budget.limit) ?? declined
        }
        return declined
    }
}

extension CeremonyRefusal {
    /// Whether the secret was wrong or the account does not exist.
    var isWrongAnswer: Bool {
        let codes: [UserFacingRefusal] = [.invalidCredentials, .passwordWrong]
        return codes.contains { $0.rawValue == refusal.code }
    }
}
