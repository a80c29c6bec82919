// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Storage
import WebAuthn

/// The challenge of one WebAuthn ceremony: given out once, answered rightly once.
///
/// Whoever opens a sign-in page asks for one, so it is no row: what the ceremony remembers is sealed
/// in the challenge itself, which the browser brings back. Only a right answer leaves a mark, and by
/// that mark no other answer counts.
struct PasskeyChallenge: Sendable {
    let bytes: [UInt8]
    /// What the ceremony remembers.
    let memory: JSONObject
    let expiresAt: Timestamp

    static let lifetime = TimeSpan.minutes(10)
    /// How long browsers wait, in milliseconds: shorter, so an answer is never too late.
    static let timeout: Int64 = 300_000
    /// Of a challenge in base64url, so that its client data stay within what is read of them.
    private static let longest = 6_000

    var text: String { Base64URL.encode(bytes) }

    static func issue(
        _ purpose: Challenge.Purpose, remembering memory: JSONObject, in context: CeremonyContext
    ) throws -> PasskeyChallenge {
        let end = context.now + lifetime
        let object: JSONValue = ["until": .integer(end.milliseconds), "memory": .object(memory)]
        let bytes = try context.provider.secrets.lend(
            object.bytes, context: sealing(purpose, context), random: context.provider.random)
        return PasskeyChallenge(bytes: bytes, memory: memory, expiresAt: end)
    }

    /// Reads what came back. It stays good until ``use(in:)``.
    static func open(
        _ text: String, _ purpose: Challenge.Purpose, in context: CeremonyContext
    ) -> Result<PasskeyChallenge, CeremonyRefusal> {
        guard text.utf8.count <= longest, let bytes = Base64URL.decode(text),
            let opened = context.provider.secrets.takeBack(
                bytes, context: sealing(purpose, context)),
            let object = try? JSONParser.parseObject(opened, maximumBytes: longest),
            let memory = object["memory"]?.object, let until = object["until"]?.integer,
            context.now < Timestamp(milliseconds: until)
        else {
            return .refused(.ceremonyExpired, because: "no living challenge", isStranger: true)
        }
        return .success(
            PasskeyChallenge(
                bytes: bytes, memory: memory, expiresAt: Timestamp(milliseconds: until)))
    }

    /// Marks the challenge as answered: exactly one right answer gets `nil`.
    func use(in context: CeremonyContext) async throws -> CeremonyRefusal? {
        let key = context.provider.secrets.hash(bytes, for: .challenge)
        let isFirst = try await context.store.markUsed(
            OneTimeIdentifier(.passkeyChallenge, key: key), expiresAt: expiresAt)
        return isFirst
            ? nil
            : CeremonyRefusal(
                UserFacingRefusal.ceremonyExpired.refusal(because: "the challenge was used"))
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
