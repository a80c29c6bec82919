// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Crypto
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn

/// The keys of people: makes them with the protection that the configuration requires, and signs with
/// them.
@AgentActor
struct PersonKeys {
    let records: RecordStore
    let profiles: ActiveProfiles
    let keys: any KeySource
    let securityKey: SecurityKeyPresence
    let events: any AgentEvents

    /// The number of wrong PINs after which the key is destroyed, and the person registers another.
    static let maximumFailures = 8
    private static let maximumRounds = 3
    private static let maximumPIN = 64

    func requirement(of person: String) -> KeyRequirement {
        let owner = records.record.registrations.plan?.owner(of: person)
        let policy = owner.flatMap { records.record.devices[$0]?.configuration }?
            .userSecureEnclaveKeyBiometricPolicy
        return KeyRequirement(
            profiles.configuration(for: person), isBiometric: policy?.isEmpty == false)
    }

    /// Whether the person's key signs in without the person: neither is nor must be behind a PIN or a
    /// security key.
    func signsAlone(_ person: String) -> Bool {
        guard profiles.policy(of: person).usesKey else { return false }
        guard let key = records.record.people[person]?.key else { return true }
        return key.guarded == nil && requirement(of: person).isMet(by: key)
    }

    /// Has people register again whose keys have less protection than the configuration requires.
    func repairWeakKeys() async {
        guard profiles.configuration?.authenticationMethod == .userSecureEnclaveKey else { return }
        for (person, stored) in records.record.people.sorted(by: { $0.key < $1.key }) {
            guard let key = stored.key, !requirement(of: person).isMet(by: key),
                records.record.registrations.people[person]?.phase.isRegistered == true
            else { continue }
            await events.handle(.needsRepair(.person(person)))
        }
    }

    // MARK: Making

    /// Makes a key for the person, with a PIN and a security key if these are required.
    func make(
        for person: String, _ conversation: (any AgentConversation)?
    ) async throws -> (key: AgentKey, secret: Secret?) {
        let requirement = requirement(of: person)
        guard requirement.requiresPerson else { return (try await keys.makeSigningKey(), nil) }
        var pin: Secret?
        if let least = requirement.leastPIN { pin = try await newPIN(least, conversation) }
        let presence =
            requirement.requiresTouch
            ? try await securityKey.enrol(
                person, isVerified: requirement.presence == .securityKey, conversation) : nil
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
        for _ in 0..<Self.maximumRounds {
            let pin = try await conversation.ask(
                .secret("Choose a PIN for your key, \(least) characters or more:"))
            guard least...Self.maximumPIN ~= pin.count, Set(pin).count > 1 else {
                await conversation.report(.weakPIN)
                continue
            }
            guard try await conversation.ask(.secret("The same PIN again:")) == pin else {
                await conversation.report(.otherPIN)
                continue
            }
            return Secret(pin)
        }
        throw PresentationError.cancelled
    }

    // MARK: Use

    /// Runs `body` with the secret of a key: prompts for the PIN and the touch, and for another PIN after
    /// a wrong one.
    func withSecret<Value>(
        of guarded: KeyProtection, _ person: String, _ conversation: (any AgentConversation)?,
        _ body: (Secret) async throws -> Value
    ) async throws -> Value {
        guard let conversation else { throw KeyPINError.needed }
        var round = 1
        while true {
            let secret = try await secret(of: guarded, person, conversation)
            do { return try await body(secret) } catch {
                guard guarded.asksPIN, Self.isWrongPIN(error), round < Self.maximumRounds else {
                    throw error
                }
                await conversation.report(.wrongKeyPIN)
                round += 1
            }
        }
    }

    private static func isWrongPIN(_ error: any Error) -> Bool {
        error as? KeyPINError == .incorrect || error as? ProviderError == .pin(.incorrect)
    }

    private func secret(
        of guarded: KeyProtection, _ person: String, _ conversation: any AgentConversation
    ) async throws -> Secret {
        var pin: Secret?
        if guarded.asksPIN {
            pin = Secret(try await conversation.ask(.secret(question(person))))
        }
        var touch: Secret?
        if let credential = guarded.presence {
            touch = try await securityKey.secret(of: credential, conversation)
        }
        return Self.opening(pin, touch)
    }

    /// Combines the PIN and the secret of the security key.
    private static func opening(_ pin: Secret?, _ touch: Secret?) -> Secret {
        guard let touch else { return pin ?? Secret("") }
        return touch.withBytes { touch in
            let typed = pin?.reveal() ?? []
            let all = Array("gatehouse presence".utf8) + [0] + Array(touch) + typed
            return Secret(Base64URL.encode(Array(SHA256.hash(data: all))))
        }
    }

    private func question(_ person: String) -> String {
        switch triesLeft(of: person) {
        case 1: "PIN of your key (the last try before it is destroyed):"
        case Self.maximumFailures: "PIN of your key:"
        case let left: "PIN of your key (\(left) tries left):"
        }
    }

    func triesLeft(of person: String) -> Int {
        max(Self.maximumFailures - (records.record.people[person]?.wrongPINs ?? 0), 0)
    }

    /// Signs with a key of the person. The try is saved before the PIN is verified: ending the agent gains
    /// no try.
    func sign(
        _ message: [UInt8], with key: AgentKey, pin: Secret, of person: String
    ) async throws -> [UInt8] {
        guard triesLeft(of: person) > 0 else { throw KeyPINError.locked }
        let failed = records.record.people[person]?.wrongPINs ?? 0
        records.record.people[person]?.wrongPINs = failed + 1
        try await records.save()
        do {
            let signature = try await keys.sign(message, with: key, pin: pin)
            records.record.people[person]?.wrongPINs = 0
            try await records.save()
            return signature
        } catch KeyPINError.incorrect {
            guard triesLeft(of: person) == 0 else { throw KeyPINError.incorrect }
            await destroyKey(of: person)
            throw KeyPINError.locked
        } catch {
            // The PIN was not verified.
            let counted = records.record.people[person]?.wrongPINs ?? 0
            records.record.people[person]?.wrongPINs = max(0, counted - 1)
            try await records.save()
            throw error
        }
    }

    private func destroyKey(of person: String) async {
        records.record.people[person]?.key = nil
        records.record.people[person]?.isKeyInvalid = true
        records.record.people[person]?.wrongPINs = 0
        do { try await records.save() } catch { return }
        await events.handle(.needsRepair(.person(person)))
    }
}
