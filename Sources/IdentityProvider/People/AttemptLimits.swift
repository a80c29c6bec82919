// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Storage

/// The attempt limits. Wrong guesses are counted in the store; a right one is not counted.
package struct AttemptLimits: Sendable, Equatable {
    /// Wrong guesses at one account, whoever makes them; as many from each browser that its person has
    /// signed in from before.
    package var perAccount = 10
    /// Wrong guesses from one address (IPv6: one /64), whomever they are aimed at; and apart from
    /// them requests that make accounts and send mail.
    package var perAddress = 100
    /// Guesses at one code that was sent.
    package var perCode = 5
    package var window = TimeSpan.minutes(15)
    /// Challenges for the passkeys of a user name that was typed, and departures to other providers.
    /// A crowd behind one address needs many more of them than it makes wrong guesses.
    package var challengesPerAddress: Int { perAddress.multipliedReportingOverflow(by: 10).0 }
    /// Questions to the maker of a device that requests from one address cause. Many phones have one
    /// address, and whoever is asked for nothing answers nobody after a while.
    package var questionsPerAddress: Int { challengesPerAddress }

    /// Accounts that people remove themselves in a day, from one address, and in a project: younger
    /// than ``RemovalBudgets/newAge``, and older.
    package var removalsPerAddress: Int { perAddress }
    package var removalsOfNew: Int { perAddress.multipliedReportingOverflow(by: 10).0 }
    package var removalsOfEstablished: Int { perAddress.multipliedReportingOverflow(by: 100).0 }

    /// Wrong guesses at one account from all browsers together that its person has signed in from
    /// before.
    package var perAccountKnown: Int { perAccount.multipliedReportingOverflow(by: 10).0 }

    package init() {}
}

/// Counts requests and guesses at codes. Guesses at what people know are counted by
/// ``GuessBudgets``. The buckets are keyed hashes, so the store learns neither names nor addresses.
struct AttemptCounter {
    let context: CeremonyContext

    /// Counts one request from the address alone: making accounts, asking for mail.
    func countRequest() async throws -> CeremonyRefusal? {
        let network = Self.network(of: context.facts.address)
        return try await count(bucket("request", network), limit: context.limits.perAddress)
    }

    /// Counts one challenge given to the address, apart from guesses: a challenge is none.
    func countChallenge() async throws -> CeremonyRefusal? {
        let network = Self.network(of: context.facts.address)
        return try await count(
            bucket("challenge", network), limit: context.limits.challengesPerAddress)
    }

    /// Counts one question to the maker of a device, that somebody at the address causes.
    func countQuestion() async throws -> CeremonyRefusal? {
        let network = Self.network(of: context.facts.address)
        return try await count(
            bucket("question", network), limit: context.limits.questionsPerAddress)
    }

    /// Counts one guess at the code behind `handle`.
    func count(code handle: String) async throws -> CeremonyRefusal? {
        try await count(bucket("code", handle), limit: context.limits.perCode)
    }

    /// Counts a mail to be sent to somebody, so that nobody's mailbox is flooded.
    func count(mailTo recipient: String) async throws -> CeremonyRefusal? {
        try await count(bucket("mail", recipient), limit: context.limits.perCode)
    }

    /// Counts one question to an operator's identity provider about one registration.
    func count(
        registration handle: String, limit: Int, window: TimeSpan
    ) async throws -> CeremonyRefusal? {
        try await count(bucket("registration", handle), limit: limit, window: window)
    }

    func count(
        _ bucket: [UInt8], limit: Int, window: TimeSpan? = nil
    ) async throws -> CeremonyRefusal? {
        let verdict = try await context.store.recordAttempt(
            bucket: bucket, limit: limit, window: window ?? context.limits.window,
            now: context.now)
        guard case .refused(let until) = verdict else { return nil }
        let seconds = max(1, (until - context.now).seconds)
        return .tooManyAttempts(retryAfter: seconds)
    }

    func bucket(_ kind: String, _ value: String) -> [UInt8] {
        let text = "\(kind)\u{0}\(context.project)\u{0}\(value)"
        return context.provider.secrets.hash(text.utf8, for: .attempts)
    }

    /// Of wrong guesses from the request's address.
    var addressBucket: [UInt8] { bucket("address", Self.network(of: context.facts.address)) }

    /// One household has one IPv4 address or one IPv6 /64.
    static func network(of address: String) -> String {
        guard address.contains(":"), !address.contains(".") else { return address }
        let halves = address.split(separator: "::", omittingEmptySubsequences: false)
        let groups = halves[0].split(separator: ":")
        guard groups.count < 4, halves.count == 2 else {
            return groups.prefix(4).joined(separator: ":")
        }
        let tail = halves[1].split(separator: ":").count
        let zeros = max(0, 8 - groups.count - tail)
        let full =
            groups.map(String.init) + Array(repeating: "0", count: zeros)
            + halves[1].split(separator: ":").map(String.init)
        return full.prefix(4).joined(separator: ":")
    }
}

extension CeremonyRefusal {
    /// Whoever is over a limit can go on without end, so these are counted by the minute in the audit
    /// trail and never listed one by one.
    static func tooManyAttempts(retryAfter seconds: Int64) -> CeremonyRefusal {
        CeremonyRefusal(
            UserFacingRefusal.tooManyAttempts.refusal(
                because: "attempt limit reached", retryAfter: seconds), isStranger: true)
    }
}
