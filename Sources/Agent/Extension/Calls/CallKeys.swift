// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Primitives
import SingleSignOn

/// The keys that a call of an extension makes and uses. Each change is saved before the extension
/// continues, and is refused after the call has ended.
@AgentActor
struct CallKeys {
    let records: RecordStore
    let calls: ExtensionCalls
    let keys: any KeySource
    let personKeys: PersonKeys

    // MARK: Keys of the device

    func device(_ owner: DeviceOwner) -> DeviceRecord? { records.record.devices[owner] }

    func userKey(of account: String?) -> AgentKey? {
        account.flatMap { records.record.people[$0]?.key }
    }

    /// The device whose keys migrate; `nil` if there are none, or several.
    var formerDevice: DeviceRecord? {
        let former = records.record.registrations.outgoing.compactMap { records.record.devices[$0] }
        return former.count == 1 ? former.first : nil
    }

    /// Returns the keys of a device, which are saved before.
    ///
    /// - Parameters:
    ///   - fresh: Whether new keys replace those of the record.
    ///   - subject: The subject of the registration; `nil` in other calls.
    func deviceKeys(
        of owner: DeviceOwner, attempt: UInt64, fresh: Bool, _ subject: RegistrationSubject?
    ) async throws -> DeviceKeyPairs {
        try calls.confirm(attempt)
        if !fresh, let device = device(owner) {
            return DeviceKeyPairs(signing: device.signing, encryption: device.encryption)
        }
        try confirm(subject, mayReplaceKeysOf: owner)
        let signing = try await keys.makeSigningKey()
        let encryption = try await keys.makeAgreementKey()
        do {
            try calls.confirm(attempt)
            try confirm(subject, mayReplaceKeysOf: owner)
        } catch {
            for key in [signing, encryption] { try? await keys.discard(key) }
            throw error
        }
        records.record.devices[owner] = DeviceRecord(signing: signing, encryption: encryption)
        // Only the registration of the device tells the provider about new keys.
        if fresh, subject != .device(owner) { calls.setReset(owner, of: attempt) }
        records.end(.device(owner))
        try await records.save()
        return DeviceKeyPairs(signing: signing, encryption: encryption)
    }

    /// Refuses to replace the keys of a device during its registration, except in that registration.
    private func confirm(
        _ subject: RegistrationSubject?, mayReplaceKeysOf owner: DeviceOwner
    ) throws(AgentRefusal) {
        guard subject != .device(owner),
            case .registering? = records.record.registrations.devices[owner]?.phase
        else { return }
        throw .declined(.underWay)
    }

    // MARK: Keys of the person

    func userKey(
        of account: String?, attempt: UInt64, fresh: Bool,
        _ conversation: (any AgentConversation)?
    ) async throws -> AgentKey {
        guard let account else { throw PresentationError.notAllowed }
        try calls.confirm(attempt)
        if !fresh, let key = userKey(of: account),
            personKeys.requirement(of: account).isMet(by: key)
        {
            return key
        }
        let (key, secret) = try await personKeys.make(for: account, conversation)
        try calls.confirm(attempt)
        calls.setPIN(secret.map { (key, $0) }, of: attempt)
        records.record.people[account, default: PersonRecord()].key = key
        records.record.people[account]?.isKeyInvalid = false
        records.record.people[account]?.managed.since[.person] = records.now
        records.record.people[account]?.wrongPINs = 0
        try await records.save()
        return key
    }

    /// Signs with a key of the device or the person. A PIN is typed once in a call.
    func sign(
        _ message: [UInt8], with key: AgentKey, of person: String?, attempt: UInt64,
        _ conversation: (any AgentConversation)?
    ) async throws -> [UInt8] {
        guard let guarded = key.guarded else { return try await keys.sign(message, with: key) }
        guard let person else { throw PresentationError.notAllowed }
        try calls.confirm(attempt)
        if let known = calls[attempt]?.pin, known.key == key {
            return try await personKeys.sign(message, with: key, pin: known.secret, of: person)
        }
        return try await personKeys.withSecret(of: guarded, person, conversation) { pin in
            let signature = try await personKeys.sign(message, with: key, pin: pin, of: person)
            calls.setPIN((key, pin), of: attempt)
            return signature
        }
    }

    // MARK: Rotation

    func managedKeys(_ place: KeyOwner) -> ManagedKeys {
        var keys = records.record.devices[place.owner]?.managed ?? ManagedKeys()
        guard let account = place.account,
            let person = records.record.people[account]?.managed
        else { return keys }
        keys.pending[.person] = person.pending[.person]
        if person.offered.contains(.person) { keys.offered.insert(.person) }
        keys.certificates[.person] = person.certificates[.person]
        return keys
    }

    /// Changes what is saved about a key.
    func change(
        _ role: AgentKeyRole, _ place: KeyOwner, _ change: (inout ManagedKeys) -> Void
    ) async throws {
        if role == .person {
            guard let account = place.account, userKey(of: account) != nil else {
                throw KeyStoreError.unusable("the person has none")
            }
            change(&records.record.people[account, default: PersonRecord()].managed)
        } else {
            guard var device = device(place.owner) else {
                throw KeyStoreError.unusable("the device has none")
            }
            change(&device.managed)
            records.record.devices[place.owner] = device
        }
        try await records.save()
    }

    /// Returns the new key of a rotation; the same key until the rotation is completed.
    func beginRotation(
        of role: AgentKeyRole, _ place: KeyOwner, attempt: UInt64,
        _ conversation: (any AgentConversation)?
    ) async throws -> AgentKey {
        try calls.confirm(attempt)
        if let pending = managedKeys(place).pending[role] { return pending }
        let key =
            switch (role, place.account) {
            case (.deviceEncryption, _): try await keys.makeAgreementKey()
            case (.person, let account?):
                try await personKeys.make(for: account, conversation).key
            case (.deviceSigning, _), (.person, nil): try await keys.makeSigningKey()
            }
        try calls.confirm(attempt)
        try await change(role, place) { $0.pending[role] = key }
        return key
    }

    /// Makes the new key of a rotation the active one. The certificate of the old key is deleted.
    func completeRotation(
        of role: AgentKeyRole, _ place: KeyOwner, attempt: UInt64
    ) async throws {
        try calls.confirm(attempt)
        guard let key = managedKeys(place).pending[role] else {
            throw KeyStoreError.unusable("no rotation was begun")
        }
        switch role {
        case .deviceSigning: records.record.devices[place.owner]?.signing = key
        case .deviceEncryption: records.record.devices[place.owner]?.encryption = key
        case .person:
            guard let account = place.account else { break }
            records.record.people[account]?.key = key
            records.record.people[account]?.isKeyInvalid = false
        }
        let time = records.now
        try await change(role, place) {
            $0.pending[role] = nil
            $0.offered.remove(role)
            $0.certificates[role] = nil
            $0.since[role] = time
        }
    }

    func saveCertificate(
        _ certificate: [UInt8], of role: AgentKeyRole, _ place: KeyOwner, attempt: UInt64
    ) async throws {
        try calls.confirm(attempt)
        try await change(role, place) { $0.certificates[role] = certificate }
    }
}
