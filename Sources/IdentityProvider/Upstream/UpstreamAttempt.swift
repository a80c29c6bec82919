// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
package import Primitives
package import Storage

/// One way to an upstream provider and back, remembered while somebody is there.
///
/// `state` is a random text that only the browser which began can use: the attempt is found by a
/// keyed hash of it and of that browser's own secret together. PKCE's verifier and the nonce are
/// computed from the same two, so that the database knows neither.
package struct UpstreamAttempt: Sendable {
    /// What it is for.
    package enum Purpose: Sendable, Equatable {
        case signIn
        /// By somebody who is signed in, with the session that they are signed in with.
        case link(Identifier<Person>, Identifier<Session>)
    }

    package static let lifetime = TimeSpan.minutes(10)

    package let provider: Identifier<UpstreamProvider>
    package let purpose: Purpose
    /// Whether the provider was asked to see the person again.
    package let isFresh: Bool
    package let begunAt: Timestamp
    /// Where the browser goes on afterwards, in the words of our pages.
    package let continuation: String?
    package let next: String?

    package init(
        provider: Identifier<UpstreamProvider>, purpose: Purpose, isFresh: Bool,
        begunAt: Timestamp, continuation: String? = nil, next: String? = nil
    ) {
        self.provider = provider
        self.purpose = purpose
        self.isFresh = isFresh
        self.begunAt = begunAt
        self.continuation = continuation
        self.next = next
    }

    var payload: String {
        var object = JSONObject()
        object["provider"] = .string(provider.description)
        object["fresh"] = .bool(isFresh)
        object["at"] = .integer(begunAt.milliseconds)
        if case .link(let person, let session) = purpose {
            object["person"] = .string(person.description)
            object["session"] = .string(session.description)
        }
        object["continue"] = continuation.map(JSONValue.string)
        object["next"] = next.map(JSONValue.string)
        return object.json.text
    }

    /// `nil` for what ``payload`` did not make.
    init?(payload text: String) {
        guard let object = try? JSONParser.parseObject(Array(text.utf8), maximumBytes: 16_384),
            let provider = object["provider"]?.string.flatMap(Identifier<UpstreamProvider>.init),
            let isFresh = object["fresh"]?.bool, let time = object["at"]?.integer
        else { return nil }
        var purpose = Purpose.signIn
        if let name = object["person"]?.string {
            guard let person = Identifier<Person>(name),
                let session = object["session"]?.string.flatMap(Identifier<Session>.init)
            else { return nil }
            purpose = .link(person, session)
        }
        self.init(
            provider: provider, purpose: purpose, isFresh: isFresh,
            begunAt: Timestamp(milliseconds: time), continuation: object["continue"]?.string,
            next: object["next"]?.string)
    }
}

/// What an attempt is known by, and what only its browser can make of it.
package struct UpstreamState: Sendable {
    /// What is sent along and comes back.
    package let text: String
    private let browser: [UInt8]
    private let secrets: ServerSecrets

    static func make(browser: [UInt8], in context: CeremonyContext) -> UpstreamState {
        UpstreamState(
            text: context.provider.newSecret(), browser: browser, secrets: context.provider.secrets)
    }

    /// - Parameters:
    ///   - text: as the browser brought it back.
    ///   - browser: its own secret, from its cookie.
    package init(text: String, browser: [UInt8], in context: CeremonyContext) {
        self.init(text: text, browser: browser, secrets: context.provider.secrets)
    }

    private init(text: String, browser: [UInt8], secrets: ServerSecrets) {
        self.text = text
        self.browser = browser
        self.secrets = secrets
    }

    var hash: [UInt8] { derive("state") }
    /// 43 letters (RFC 7636 section 4.1).
    var verifier: String { Base64URL.encode(derive("verifier")) }
    var nonce: String { Base64URL.encode(derive("nonce")) }

    private func derive(_ purpose: String) -> [UInt8] {
        let length = UInt8(clamping: browser.count)
        return secrets.hash(
            Array("\(purpose)\u{0}".utf8) + [length] + browser + Array(text.utf8), for: .upstream)
    }
}

extension CeremonyContext {
    /// The living attempt, left in place.
    package func upstreamAttempt(_ state: UpstreamState) async throws -> UpstreamAttempt? {
        try await store.peek(hash: state.hash, purpose: .upstream, in: project, now: now)
            .flatMap { UpstreamAttempt(payload: $0.payload) }
    }

    /// The living attempt, used up: exactly one caller gets it.
    func consume(_ state: UpstreamState) async throws -> UpstreamAttempt? {
        try await store.consumeChallenge(
            hash: state.hash, purpose: .upstream, in: project, now: now
        )
        .flatMap { UpstreamAttempt(payload: $0.payload) }
    }

    func remember(_ attempt: UpstreamAttempt, under state: UpstreamState) async throws {
        try await store.issue(
            Challenge(
                hash: state.hash, purpose: .upstream, project: project, payload: attempt.payload,
                expiresAt: now + UpstreamAttempt.lifetime))
    }
}
