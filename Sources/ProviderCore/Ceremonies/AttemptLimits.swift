// SPDX-License-Identifier: Apache-2.0
package import Primitives
import Storage

/// The limits of attempts and requests. Of attempts at passwords and other secrets that people
/// know, only failed ones count. Attempts at codes that were sent count before they are verified,
/// and requests count whether they succeed or not. Each project has separate counts.
package struct AttemptLimits: Sendable, Equatable {
    /// Maximum of failed attempts for an account. Each browser in which its person has signed in
    /// before has a separate count with the same maximum.
    package var perAccount = 10
    /// Maximum of failed attempts from an IP address (IPv6: a /64) for all accounts. Requests that
    /// create accounts, use one-time links or send email have a separate count with the same
    /// maximum.
    package var perAddress = 100
    /// Maximum of attempts for a code that was sent, of emails for a name that was entered, and of
    /// emails with a code to one mailbox.
    package var perCode = 5
    /// The period of a count; it begins with the first attempt. Removals have another one
    /// (``RemovalBudgets/window``), and so have registrations with attestation
    /// (``RegistrationBudgets/window``) and the requests for one custom registration.
    package var window = TimeSpan.minutes(15)
    /// Maximum of passkey challenges for a username and of redirects to upstream providers, from
    /// one IP address. Many people behind one address need more of them than of failed attempts.
    package var challengesPerAddress: Int { perAddress * 10 }
    /// Maximum of requests that one IP address causes to device manufacturers and to custom
    /// registration providers. Many phones share an IP address, and a manufacturer throttles a
    /// provider that sends too many requests.
    package var externalRequestsPerAddress: Int { challengesPerAddress }

    /// Maximum of people that apps register in a day from one IP address (IPv6: a /64) with evidence
    /// about an app or a device alone (``RegistrationBudgets``). Many phones share an IP address.
    package var attestedPerAddress: Int { perAddress * 10 }
    /// Maximum of such people in a project in a day.
    package var attestedPerProject: Int { perAddress * 100 }

    /// Maximum of accounts that their owners remove in a day from one IP address (IPv6: a /64).
    /// ``RemovalBudgets`` omits accounts whose names are not held afterwards.
    package var removalsPerAddress: Int { perAddress }
    /// Maximum of such removals in a project of accounts younger than ``RemovalBudgets/newAge``.
    package var removalsOfNew: Int { perAddress * 10 }
    /// Maximum of such removals in a project of older accounts.
    package var removalsOfEstablished: Int { perAddress * 100 }

    /// Maximum of failed attempts for an account from all browsers in which its person has signed
    /// in before.
    package var perAccountKnown: Int { perAccount * 10 }

    package init() {}
}

/// Counts requests and attempts at codes. ``GuessBudgets`` counts attempts at passwords and other
/// secrets that people know. The buckets are keyed hashes, so the store contains neither names nor
/// addresses.
package struct AttemptCounter {
    package let context: CeremonyContext

    package init(context: CeremonyContext) {
        self.context = context
    }

    /// Counts a request that creates an account, uses a one-time link or sends email.
    package func countRequest() async throws -> CeremonyRefusal? {
        let network = Self.network(of: context.facts.address)
        return try await count(bucket("request", network), limit: context.limits.perAddress)
    }

    /// Counts a passkey challenge or a redirect to an upstream provider, by IP address.
    package func countChallenge() async throws -> CeremonyRefusal? {
        let network = Self.network(of: context.facts.address)
        return try await count(
            bucket("challenge", network), limit: context.limits.challengesPerAddress)
    }

    /// Counts a request to a device manufacturer or to a custom registration provider, by the IP
    /// address that causes it.
    package func countQuestion() async throws -> CeremonyRefusal? {
        let network = Self.network(of: context.facts.address)
        return try await count(
            bucket("question", network), limit: context.limits.externalRequestsPerAddress)
    }

    /// Counts an attempt at the code of `handle`.
    package func count(code handle: String) async throws -> CeremonyRefusal? {
        try await count(bucket("code", handle), limit: context.limits.perCode)
    }

    /// Counts an email by the name or address that was entered. Names without an account count
    /// too, so the refusal does not reveal whether the account exists.
    package func count(mailTo recipient: String) async throws -> CeremonyRefusal? {
        try await count(bucket("mail", recipient), limit: context.limits.perCode)
    }

    /// Counts an email to a mailbox, with whatever name it was requested. Returns whether to send
    /// it. The response must not depend on the result, because it reveals which names and addresses
    /// belong together.
    ///
    /// - Parameter address: in canonical form (``EmailAddressSyntax``).
    package func admits(mailToMailbox address: String) async throws -> Bool {
        try await count(bucket("mailbox", address), limit: context.limits.perCode) == nil
    }

    /// Counts a request to a custom registration provider for one registration.
    package func count(
        registration handle: String, limit: Int, window: TimeSpan
    ) async throws -> CeremonyRefusal? {
        try await count(bucket("registration", handle), limit: limit, window: window)
    }

    func count(
        _ bucket: [UInt8], limit: Int, window: TimeSpan? = nil
    ) async throws -> CeremonyRefusal? {
        let verdict = try await context.store.attempts.recordAttempt(
            bucket: bucket, limit: limit, window: window ?? context.limits.window,
            now: context.now)
        guard case .refused(let until) = verdict else { return nil }
        let seconds = max(1, (until - context.now).seconds)
        return .tooManyAttempts(retryAfter: seconds)
    }

    package func bucket(_ kind: String, _ value: String) -> [UInt8] {
        let text = "\(kind)\u{0}\(context.project)\u{0}\(value)"
        return context.provider.secrets.hash(text.utf8, for: .attempts)
    }

    /// The bucket of failed attempts from the request's IP address.
    var addressBucket: [UInt8] { bucket("address", Self.network(of: context.facts.address)) }

    /// Returns the first four groups of an IPv6 address (its /64), and every other address
    /// unchanged. A household has one IPv4 address or one IPv6 /64.
    package static func network(of address: String) -> String {
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
    /// The refusal of an attempt or request above a limit. The number of such refusals is
    /// unbounded, so the audit log aggregates them.
    static func tooManyAttempts(retryAfter seconds: Int64) -> CeremonyRefusal {
        CeremonyRefusal(
            UserFacingRefusal.tooManyAttempts.refusal(
                because: "attempt limit reached", retryAfter: seconds), isStranger: true)
    }
}
