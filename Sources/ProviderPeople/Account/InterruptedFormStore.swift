// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import ProviderCore
package import Storage

/// Stores a form until its person has signed in again: one for each person, for ten minutes,
/// encrypted for this person and browser. A newer form replaces it.
package struct InterruptedFormStore: Sendable {
    private static let lifetime = TimeSpan.minutes(10)

    private let provider: Provider
    private let project: Identifier<Project>
    private let person: Identifier<Person>
    private let browserSecret: [UInt8]
    private let now: Timestamp

    /// - Parameter browserSecret: the secret of the browser's cookie.
    package init(
        _ provider: Provider, of person: Person, browserSecret: [UInt8], now: Timestamp
    ) {
        self.provider = provider
        project = person.project
        self.person = person.id
        self.browserSecret = browserSecret
        self.now = now
    }

    package func save(_ form: Secret) async throws {
        let sealed = try provider.secrets.seal(form, context: context)
        try await provider.store.challenges.issue(
            Challenge(
                hash: hash, purpose: .typedForm, project: project,
                payload: Base64URL.encode(sealed), expiresAt: now + Self.lifetime))
    }

    /// The form of this person and browser, or `nil`.
    package func find() async throws -> Secret? {
        try await provider.store.challenges.peek(
            hash: hash, purpose: .typedForm, in: project, now: now
        )
        .flatMap(open)
    }

    /// Consumes the form: of two concurrent requests one receives it. A form of another browser
    /// stays.
    package func consume() async throws -> Secret? {
        guard try await find() != nil else { return nil }
        return try await provider.store.challenges.consumeChallenge(
            hash: hash, purpose: .typedForm, in: project, now: now
        ).flatMap(open)
    }

    private func open(_ challenge: Challenge) -> Secret? {
        Base64URL.decode(challenge.payload).flatMap {
            try? provider.secrets.open($0, context: context)
        }
    }

    private var hash: [UInt8] {
        provider.secrets.hash(Array("typed-form\u{0}\(person)".utf8), for: .challenge)
    }

    private var context: String {
        let browser = provider.secrets.hash(browserSecret, for: .challenge)
        return "typed-form\u{0}\(person)\u{0}\(Base64URL.encode(browser))"
    }
}
