// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderCore
import Storage
import WebAuthn

/// The challenge of a WebAuthn ceremony. It is valid for one successful response.
///
/// Unauthenticated clients can request any number of challenges, so they are not stored: the state
/// of the ceremony is sealed in the challenge, which the browser returns. A successful response
/// consumes it.
struct PasskeyChallenge: Sendable {
    let bytes: [UInt8]
    /// The state of the ceremony.
    let memory: JSONObject
    let expiresAt: Timestamp

    static let lifetime = TimeSpan.minutes(10)
    /// The timeout for browsers in milliseconds. It is shorter than the lifetime, so that a
    /// response is not late.
    static let timeout: Int64 = 300_000
    /// Maximum length of a challenge in base64url, so that the client data do not exceed their
    /// limit.
    private static let maximumLength = 6_000

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

    /// Opens a returned challenge. It is not consumed until ``use(in:)``.
    static func open(
        _ text: String, _ purpose: Challenge.Purpose, in context: CeremonyContext
    ) -> Result<PasskeyChallenge, CeremonyRefusal> {
        guard text.utf8.count <= maximumLength, let bytes = Base64URL.decode(text),
            let opened = context.provider.secrets.openLent(
                bytes, context: sealing(purpose, context)),
            let object = try? JSONParser.parseObject(opened, maximumBytes: maximumLength),
            let memory = object["memory"]?.object, let until = object["until"]?.integer,
            context.now < Timestamp(milliseconds: until)
        else {
            return .refused(.ceremonyExpired, because: "no active challenge", isStranger: true)
        }
        return .success(
            PasskeyChallenge(
                bytes: bytes, memory: memory, expiresAt: Timestamp(milliseconds: until)))
    }

    /// Consumes the challenge. Returns `nil` for the first successful response only.
    func use(in context: CeremonyContext) async throws -> CeremonyRefusal? {
        let key = context.provider.secrets.hash(bytes, for: .challenge)
        let isFirst = try await context.store.challenges.markUsed(
            OneTimeIdentifier(.passkeyChallenge, key: key), expiresAt: expiresAt)
        return isFirst
            ? nil
            : CeremonyRefusal(
                UserFacingRefusal.ceremonyExpired.refusal(because: "the challenge was used"))
    }

    /// The state cannot be opened for another purpose or project.
    private static func sealing(
        _ purpose: Challenge.Purpose, _ context: CeremonyContext
    ) -> String { "ceremony/\(purpose.rawValue)/\(context.project)" }
}

extension CeremonyContext {
    /// The relying party of passkeys: the host of the issuer, with the origin of the issuer and the
    /// related origins of the project. The projects of an installation share the host; each finds
    /// only its own credentials.
    var relyingParty: RelyingParty {
        let site = SiteOrigin(issuer: provider.issuer)
        return RelyingParty(
            id: site?.host ?? "", origins: [site?.origin ?? ""] + keyPolicy.relatedOrigins,
            topOrigins: keyPolicy.topOrigins, allowCrossOrigin: !keyPolicy.topOrigins.isEmpty)
    }

    /// The project's policy for passkeys and security keys.
    var keyPolicy: WebAuthnPolicy { tenant.project.policy.webauthn }
}
