// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
package import Primitives
package import Storage

/// One way to an upstream provider and back, remembered while somebody is there.
///
/// Anyone may leave for a provider, so it is no row: the browser carries it in a cookie, sealed under
/// a keyed hash of `state`, a random text, and of that browser's own secret together. PKCE's
/// verifier and the nonce are computed from the same two. Only an answer that came back leaves a
/// mark.
package struct UpstreamTransaction: Sendable {
    /// What it is for.
    package enum Purpose: Sendable, Equatable {
        case signIn
        /// By somebody who is signed in, with the session that they are signed in with.
        case link(Identifier<Person>, Identifier<Session>)
    }

    package static let lifetime = TimeSpan.minutes(10)
    var expiresAt: Timestamp { begunAt + Self.lifetime }

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

    /// Without ``continuation``, which is sealed already.
    var payload: [UInt8] {
        var object = JSONObject()
        object["provider"] = .string(provider.description)
        object["fresh"] = .bool(isFresh)
        object["at"] = .integer(begunAt.milliseconds)
        if case .link(let person, let session) = purpose {
            object["person"] = .string(person.description)
            object["session"] = .string(session.description)
        }
        object["next"] = next.map(JSONValue.string)
        return object.bytes
    }

    /// `nil` for what ``payload`` did not make.
    init?(payload: [UInt8], continuation: String?) {
        guard let object = try? JSONParser.parseObject(payload, maximumBytes: 1024),
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
            begunAt: Timestamp(milliseconds: time), continuation: continuation,
            next: object["next"]?.string)
    }
}

/// What an attempt is known by, and what only its browser can make of it.
package struct UpstreamState: Sendable {
    /// What is sent along and comes back.
    package let text: String
    private let browser: [UInt8]
    private let project: Identifier<Project>
    private let secrets: DerivedKeys

    static func make(browser: [UInt8], in context: CeremonyContext) -> UpstreamState {
        UpstreamState(text: context.provider.newSecret(), browser: browser, in: context)
    }

    /// - Parameters:
    ///   - text: as the browser brought it back.
    ///   - browser: its own secret, from its cookie.
    package init(text: String, browser: [UInt8], in context: CeremonyContext) {
        self.text = text
        self.browser = browser
        project = context.project
        secrets = context.provider.secrets
    }

    /// For the cookie.
    func seal(_ attempt: UpstreamTransaction, random: any RandomSource) throws -> String {
        let sealed = try secrets.lend(
            attempt.payload, context: sealing(attempt.continuation), random: random)
        return [Base64URL.encode(sealed), attempt.continuation].compactMap(\.self)
            .joined(separator: ".")
    }

    /// The living attempt in a cookie; `nil` when it is of another state, browser or project.
    package func attempt(in cookie: String, now: Timestamp) -> UpstreamTransaction? {
        let parts = cookie.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        let continuation = parts.dropFirst().first
        guard let sealed = parts.first.flatMap({ Base64URL.decode($0) }),
            let opened = secrets.takeBack(sealed, context: sealing(continuation)),
            let attempt = UpstreamTransaction(payload: opened, continuation: continuation),
            now < attempt.expiresAt
        else { return nil }
        return attempt
    }

    /// What the attempt goes on with cannot be exchanged in the cookie.
    private func sealing(_ continuation: String?) -> String {
        "upstream/\(project)/\(Base64URL.encode(hash))/\(continuation ?? "")"
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
    /// Marks the attempt as answered: exactly one caller is told `true`.
    func use(_ attempt: UpstreamTransaction, _ state: UpstreamState) async throws -> Bool {
        try await store.markUsed(
            OneTimeIdentifier(.upstreamAttempt, key: state.hash), expiresAt: attempt.expiresAt)
    }
}
