// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderCore
import Storage

/// A code that is sent by email: eight digits, valid for ten minutes and five attempts, consumed by
/// its use.
///
/// It is bound to a person, an address and a purpose. It is valid only with the handle of the
/// browser that requested it.
struct EmailCode: Sendable {
    let context: CeremonyContext
    let purpose: Challenge.Purpose

    static let lifetime = TimeSpan.minutes(10)
    static let length = 8

    /// The result of a valid code.
    struct Proven: Sendable {
        let person: Identifier<Person>
        let address: String
    }

    /// Issues a code. Without a person it issues a decoy that never matches; callers cannot
    /// distinguish it.
    func issue(
        for person: Identifier<Person>?, address: String
    ) async throws -> (handle: String, code: String) {
        let handle = context.provider.newSecret()
        let code = makeCode()
        let payload: JSONValue = .object(
            JSONObject([
                .init(name: "person", value: .string(person?.description ?? "")),
                .init(name: "address", value: .string(address)),
                .init(
                    name: "code",
                    value: .string(Base64URL.encode(hash(code, handle, person, address)))),
            ]))
        try await context.store.challenges.issue(
            Challenge(
                hash: hash(handle: handle), purpose: purpose, project: context.project,
                payload: String(decoding: payload.bytes, as: UTF8.self),
                expiresAt: context.now + Self.lifetime))
        return (handle, code)
    }

    /// Verifies and consumes a typed code. An attempt is counted before it is verified, if the
    /// handle exists. Of concurrent calls with the right code, one succeeds.
    func redeem(_ typed: String, handle: String) async throws -> Result<Proven, CeremonyRefusal> {
        guard
            let challenge = try await context.store.challenges.peek(
                hash: hash(handle: handle), purpose: purpose, in: context.project, now: context.now)
        else { return .refused(.codeExpired, because: "no active code", isStranger: true) }
        if let declined = try await AttemptCounter(context: context).count(code: handle) {
            _ = try await consume(handle)
            return .failure(declined)
        }
        let (person, address, expected) = read(challenge.payload)
        let letters = String(typed.filter { !$0.isWhitespace && $0 != "-" })
        guard ConstantTime.equal(hash(letters, handle, person, address), expected), let person
        else { return .refused(.codeWrong, because: "wrong code", person: person) }
        guard try await consume(handle) != nil else {
            return .refused(.codeExpired, because: "consumed in the meantime", person: person)
        }
        return .success(Proven(person: person, address: address))
    }

    private func consume(_ handle: String) async throws -> Challenge? {
        try await context.store.challenges.consumeChallenge(
            hash: hash(handle: handle), purpose: purpose, in: context.project, now: context.now)
    }

    private func makeCode() -> String {
        var digits: [UInt8] = []
        while digits.count < Self.length {
            // 250 is the largest multiple of 10 in a byte.
            digits += context.provider.random.bytes(16).filter { $0 < 250 }.map { 0x30 + $0 % 10 }
        }
        return String(decoding: digits.prefix(Self.length), as: UTF8.self)
    }

    private func read(_ payload: String) -> (Identifier<Person>?, String, [UInt8]) {
        let object = try? JSONParser.parseObject(Array(payload.utf8), maximumBytes: 4096)
        return (
            Identifier(object?["person"]?.string ?? ""), object?["address"]?.string ?? "",
            Base64URL.decode(object?["code"]?.string ?? "") ?? []
        )
    }

    private func hash(handle: String) -> [UInt8] {
        context.provider.secrets.hash(handle.utf8, for: .challenge)
    }

    private func hash(
        _ code: String, _ handle: String, _ person: Identifier<Person>?, _ address: String
    ) -> [UInt8] {
        let parts = [purpose.rawValue, handle, person?.description ?? "", address, code]
        let text = parts.joined(separator: "\u{0}")
        return context.provider.secrets.hash(text.utf8, for: .emailCode)
    }
}
