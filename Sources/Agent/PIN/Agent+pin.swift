// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
package import SingleSignOn

/// People's keys behind a PIN: where the profile, or the configuration of the extension, asks for one.
extension Agent {
    /// After so many wrong PINs the key is destroyed, and the person registers another.
    static let greatestFailures = 8
    private static let greatestRounds = 3
    private static let greatestPIN = 64
    /// Where the extension asks for a person to be there and the profile gives no length.
    private static let ordinaryPIN = 6

    /// The least length of a person's PIN; `nil` when none is asked for.
    func leastPIN(of person: String) -> Int? {
        if let least = configuration(for: person)?.leastPIN { return least }
        // A security key that knows its owner is presence enough; a touch is anybody's.
        guard presenceWanted(of: person) != .securityKey else { return nil }
        let owner = record.machine.plan?.owner(of: person)
        let policy = owner.flatMap { record.devices[$0]?.configuration }?
            .userSecureEnclaveKeyBiometricPolicy
        return policy?.isEmpty == false ? Self.ordinaryPIN : nil
    }

    /// Whether the person's key is one that the profile wants.
    func isGuardedEnough(_ key: AgentKey, of person: String) -> Bool {
        (key.guarded?.asksPIN == true || leastPIN(of: person) == nil)
            && isPresent(key.guarded?.presence, for: person)
    }

    /// Keys from before a PIN or a touch was asked for: their people register others.
    func demandPINs() async {
        guard configuration?.authenticationMethod == .userSecureEnclaveKey else { return }
        for (person, kept) in record.people.sorted(by: { $0.key < $1.key }) {
            guard let key = kept.key, !isGuardedEnough(key, of: person),
                record.machine.people[person]?.phase.isRegistered == true
            else { continue }
            await handle(.needsRepair(.person(person)))
        }
    }

    /// A key for the person, behind a PIN of theirs and a security key where these are asked for.
    func makeUserKey(
        of person: String, _ conversation: (any AgentConversation)?
    ) async throws -> (key: AgentKey, secret: Secret?) {
        let (least, isTouched) = (leastPIN(of: person), wantsPresence(of: person))
        guard least != nil || isTouched else { return (try await keys.makeSigningKey(), nil) }
        var pin: Secret?
        if let least { pin = try await newPIN(least, conversation) }
        let presence = isTouched ? try await enrolPresence(of: person, conversation) : nil
        let secret = Self.opening(pin, presence?.secret)
        var key = try await keys.makeSigningKey(pin: secret)
        key.guarded?.asksPIN = pin != nil
        key.guarded?.presence = presence?.credential
        return (key, secret)
    }

    private func newPIN(
        _ least: Int, _ conversation: (any AgentConversation)?
    ) async throws -> Secret {
        guard let conversation else { throw PresentationError.notAllowed }
        for _ in 0..<Self.greatestRounds {
            let pin = try await conversation.ask(
                .secret("Choose a PIN for your key, \(least) characters or more:"))
            guard least...Self.greatestPIN ~= pin.count, Set(pin).count > 1 else {
                await conversation.tell(.weakPIN)
                continue
            }
            guard try await conversation.ask(.secret("The same PIN again:")) == pin else {
                await conversation.tell(.otherPIN)
                continue
            }
            return Secret(pin)
        }
        throw PresentationError.cancelled
    }

    // MARK: Use

    /// Has the person type the PIN of their key, and again when it was wrong, and touch what has to be.
    func withSecret<Value>(
        of guarded: KeyProtection, _ person: String, _ conversation: (any AgentConversation)?,
        _ body: (Secret) async throws -> Value
    ) async throws -> Value {
        guard let conversation else { throw KeyPINError.needed }
        var round = 1
        while true {
            let secret = try await secret(of: guarded, person, conversation)
            do { return try await body(secret) } catch {
                guard guarded.asksPIN, Self.isWrongPIN(error), round < Self.greatestRounds else {
                    throw error
                }
                await conversation.tell(.wrongKeyPIN)
                round += 1
            }
        }
    }

    private static func isWrongPIN(_ error: any Error) -> Bool {
        error as? KeyPINError == .incorrect || error as? ProviderError == .pin(.incorrect)
    }

    func question(_ person: String) -> String {
        switch triesLeft(of: person) {
        case 1: "PIN of your key (the last try before it is destroyed):"
        case Self.greatestFailures: "PIN of your key:"
        case let left: "PIN of your key (\(left) tries left):"
        }
    }

    func triesLeft(of person: String) -> Int {
        max(Self.greatestFailures - (record.people[person]?.wrongPINs ?? 0), 0)
    }

    /// Signs with a key of the person. A try is on the disk before it is judged: whoever ends the agent
    /// then gains none.
    func sign(
        _ message: [UInt8], with key: AgentKey, pin: Secret, of person: String
    ) async throws -> [UInt8] {
        guard triesLeft(of: person) > 0 else { throw KeyPINError.locked }
        let failed = record.people[person]?.wrongPINs ?? 0
        record.people[person]?.wrongPINs = failed + 1
        try await keep()
        do {
            let signature = try await keys.sign(message, with: key, pin: pin)
            record.people[person]?.wrongPINs = 0
            try await keep()
            return signature
        } catch KeyPINError.incorrect {
            guard triesLeft(of: person) == 0 else { throw KeyPINError.incorrect }
            await destroyKey(of: person)
            throw KeyPINError.locked
        } catch {
            // Nobody has judged the PIN.
            let counted = record.people[person]?.wrongPINs ?? 0
            record.people[person]?.wrongPINs = max(0, counted - 1)
            try await keep()
            throw error
        }
    }

    private func destroyKey(of person: String) async {
        record.people[person]?.key = nil
        record.people[person]?.isKeyInvalid = true
        record.people[person]?.wrongPINs = 0
        do { try await keep() } catch { return }
        await handle(.needsRepair(.person(person)))
    }

    /// Signs in a call of an extension; the PIN that was typed in it counts until it is over.
    func sign(
        _ message: [UInt8], with key: AgentKey, of person: String?, attempt: UInt64,
        _ conversation: (any AgentConversation)?
    ) async throws -> [UInt8] {
        guard let guarded = key.guarded else { return try await keys.sign(message, with: key) }
        guard let person else { throw PresentationError.notAllowed }
        try confirm(attempt)
        if let known = calls[attempt]?.pin, known.key == key {
            return try await sign(message, with: key, pin: known.secret, of: person)
        }
        return try await withSecret(of: guarded, person, conversation) { pin in
            let signature = try await sign(message, with: key, pin: pin, of: person)
            calls[attempt]?.pin = (key, pin)
            return signature
        }
    }

    // MARK: Sign-in

    /// A full login with a key behind a PIN or a security key.
    func guardedLogin(
        _ client: ProviderClient, _ user: UserLoginConfiguration, _ key: AgentKey,
        _ guarded: KeyProtection, of person: String, _ conversation: (any AgentConversation)?
    ) async throws -> VerifiedLogin {
        let groups = policy(of: person).groups
        return try await withSecret(of: guarded, person, conversation) { pin in
            try await client.signIn(user, key: key, groups: groups) { message in
                try await sign(message, with: key, pin: pin, of: person)
            }
        }
    }
}

extension SSOConfiguration {
    /// `user_key_pin` in `ExtensionData`: the least length of a person's PIN, 4 to 16; `true` for 6.
    package var leastPIN: Int? {
        guard let value = extensionData?.first(where: { $0.name == "user_key_pin" })?.value else {
            return nil
        }
        if let flag = value.boolean { return flag ? 6 : nil }
        // Where it cannot be read, a PIN was wanted all the same.
        let least = value.integer ?? value.string.flatMap { Int64($0) } ?? 6
        return Int(min(max(least, 4), 16))
    }
}
