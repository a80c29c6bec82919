// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Storage
import WebAuthn

/// The challenge of one WebAuthn ceremony: given out once, taken back once.
///
/// The 32 random bytes are the challenge and, as base64url, the name by which the answer comes
/// back; the store knows their keyed hash only.
struct PasskeyChallenge: Sendable {
    let bytes: [UInt8]
    /// What the ceremony remembers.
    let memory: JSONObject

    static let lifetime = TimeSpan.minutes(10)
    /// How long browsers wait, in milliseconds: shorter, so an answer is never too late.
    static let timeout: Int64 = 300_000

    var text: String { Base64URL.encode(bytes) }

    static func issue(
        _ purpose: Challenge.Purpose, remembering memory: JSONObject, in context: CeremonyContext
    ) async throws -> PasskeyChallenge {
        let challenge = PasskeyChallenge(bytes: context.provider.random.bytes(32), memory: memory)
        try await context.store.issue(
            Challenge(
                hash: context.provider.secrets.hash(challenge.bytes, for: .challenge),
                purpose: purpose, project: context.project,
                payload: String(decoding: JSONValue.object(memory).bytes, as: UTF8.self),
                expiresAt: context.now + lifetime))
        return challenge
    }

    static func consume(
        _ text: String, _ purpose: Challenge.Purpose, in context: CeremonyContext
    ) async throws -> Result<PasskeyChallenge, Declined> {
        guard let bytes = Base64URL.decode(text), bytes.count == 32,
            let stored = try await context.store.consumeChallenge(
                hash: context.provider.secrets.hash(bytes, for: .challenge), purpose: purpose,
                in: context.project, now: context.now),
            let memory = try? JSONParser.parseObject(
                Array(stored.payload.utf8), maximumBytes: 16_384)
        else { return .refused(.ceremonyExpired, because: "no living challenge") }
        return .success(PasskeyChallenge(bytes: bytes, memory: memory))
    }
}

extension CeremonyContext {
    /// Who asks for passkeys: the issuer's host, from the issuer's origin and those that the project
    /// names beside it. The projects of an installation share the host; each finds its own
    /// credentials only.
    var relyingParty: RelyingParty {
        let site = SiteOrigin(issuer: provider.issuer)
        return RelyingParty(
            id: site?.host ?? "", origins: [site?.origin ?? ""] + keyPolicy.relatedOrigins,
            topOrigins: keyPolicy.topOrigins, allowCrossOrigin: !keyPolicy.topOrigins.isEmpty)
    }

    /// The project's rules for passkeys and security keys.
    var keyPolicy: WebAuthnPolicy { tenant.project.policy.webauthn }
}
