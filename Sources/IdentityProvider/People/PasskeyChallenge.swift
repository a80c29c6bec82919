// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Storage
import WebAuthn

/// The challenge of one WebAuthn ceremony: given out once, taken back once.
///
/// The 32 random bytes are the challenge and, as base64url, the name by which the answer comes
/// back; the store knows their keyed hash only. What the ceremony remembers is sealed there, for the
/// token of a set-up or registration link may be part of it.
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
                payload: Base64URL.encode(
                    try context.provider.secrets.seal(
                        Secret(JSONValue.object(memory).bytes), context: sealing(purpose, context))),
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
            let sealed = Base64URL.decode(stored.payload),
            let opened = try? context.provider.secrets.open(
                sealed, context: sealing(purpose, context)),
            let memory = try? JSONParser.parseObject(opened.reveal(), maximumBytes: 65_536)
        else { return .refused(.ceremonyExpired, because: "no living challenge") }
        return .success(PasskeyChallenge(bytes: bytes, memory: memory))
    }

    /// Memory moved to another purpose or project does not open.
    private static func sealing(
        _ purpose: Challenge.Purpose, _ context: CeremonyContext
    ) -> String { "ceremony/\(purpose.rawValue)/\(context.project)" }
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
