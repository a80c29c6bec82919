// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// What a guess at something that a person knows is counted against: wrong ones only.
///
/// An attempt under way is no guess, so a crowd that is right is never refused, however many come at
/// once. The budgets are read before the attempt and again when it was right: by then others may have
/// used them up, and a right answer among too many wrong ones is told like them.
struct GuessBudgets: Sendable {
    private struct Budget: Sendable {
        let bucket: [UInt8]
        let limit: Int
    }

    private let counter: AttemptCounter
    /// Of the person or the browser: empty again after a success.
    private let own: Budget?
    /// Of the address, or of all known browsers of one person. A success leaves it: whoever owns one
    /// account must not be able to wipe out the guesses made at others.
    private let shared: Budget

    private init(_ counter: AttemptCounter, own: [UInt8]?, knownBrowsers: [UInt8]? = nil) {
        let limits = counter.context.limits
        self.counter = counter
        self.own = own.map { Budget(bucket: $0, limit: limits.perAccount) }
        shared =
            knownBrowsers.map { Budget(bucket: $0, limit: limits.perAccountKnown) }
            ?? Budget(bucket: counter.addressBucket, limit: limits.perAddress)
    }

    /// Guesses at the password of `person`, or of nobody who is called `name`. A browser that the
    /// person has signed in from before has a budget of its own, and strangers use it up neither by
    /// guesses at the person nor from the same address. Such browsers of one person share a budget too:
    /// each sign-in without the cookie makes one.
    static func password(
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

    /// Guesses at recovery codes: wrong passwords do not lock the way back.
    static func recoveryCode(
        of person: Person?, named name: String?, in context: CeremonyContext
    ) -> GuessBudgets {
        let counter = AttemptCounter(context: context)
        let account = person?.qualifiedName ?? name ?? ""
        return GuessBudgets(counter, own: counter.bucket("recovery", account))
    }

    /// Guesses at something else of one owner.
    static func other(_ owner: String, in context: CeremonyContext) -> GuessBudgets {
        let counter = AttemptCounter(context: context)
        return GuessBudgets(counter, own: counter.bucket("account", owner))
    }

    /// Guesses that another service verifies.
    static func address(in context: CeremonyContext) -> GuessBudgets {
        GuessBudgets(AttemptCounter(context: context), own: nil)
    }

    /// Makes one attempt.
    ///
    /// - Parameters:
    ///   - isGuess: whether a refusal says that the answer was wrong.
    ///   - isWrong: whether an outcome that goes on says so.
    func attempt<Value>(
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
            if let own, ownCount > 0 { try await store.clearAttempts(bucket: own.bucket) }
        case .failure(let refused) where isGuess(refused):
            if var declined = try await countWrong() {
                declined.person = refused.person
                return .failure(declined)
            }
        case .failure: break
        }
        return outcome
    }

    private var store: any ProviderStore { counter.context.store }
    private var all: [Budget] { [own, shared].compactMap(\.self) }

    private func usedUp() async throws -> (declined: CeremonyRefusal?, ownCount: Int) {
        let now = counter.context.now
        let counted = try await store.attempts(in: all.map(\.bucket), now: now)
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

    /// The last guess that fits is still told that it is wrong.
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
