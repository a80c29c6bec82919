// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives

/// Whose keys a call of an extension is about.
struct KeyOwner: Sendable {
    let owner: DeviceOwner
    /// `nil` while a device is registered.
    let account: String?
}

/// Keys that are being rotated, and what extensions say of keys.
package struct ManagedKeys: Sendable, Equatable {
    /// Made by a rotation that is not completed.
    package var pending: [AgentKeyRole: AgentKey] = [:]
    /// Those of them that the agent has offered the provider, which may know them already.
    package var offered: Set<AgentKeyRole> = []
    /// DER
    package var certificates: [AgentKeyRole: [UInt8]] = [:]
    /// When keys were taken into use that took the place of others.
    package var since: [AgentKeyRole: Timestamp] = [:]

    package init() {}
}

/// What login managers ask of the agent besides keys and configurations: all of it is on the disk before
/// the extension goes on, and none of it after its call was given up.
extension Agent {
    // MARK: Keys

    func managedKeys(_ place: KeyOwner) -> ManagedKeys {
        var keys = record.devices[place.owner]?.managed ?? ManagedKeys()
        guard let account = place.account, let person = record.people[account]?.managed else {
            return keys
        }
        keys.pending[.person] = person.pending[.person]
        if person.offered.contains(.person) { keys.offered.insert(.person) }
        keys.certificates[.person] = person.certificates[.person]
        return keys
    }

    /// Changes what is kept where that key belongs.
    func change(
        _ role: AgentKeyRole, _ place: KeyOwner, _ change: (inout ManagedKeys) -> Void
    ) async throws {
        if role == .person {
            guard let account = place.account, record.people[account]?.key != nil else {
                throw KeyStoreError.unusable("the person has none")
            }
            change(&record.people[account, default: PersonRecord()].managed)
        } else {
            guard var device = record.devices[place.owner] else {
                throw KeyStoreError.unusable("the device has none")
            }
            change(&device.managed)
            record.devices[place.owner] = device
        }
        try await keep()
    }

    func beginRotation(
        of role: AgentKeyRole, _ place: KeyOwner, attempt: UInt64,
        _ conversation: (any AgentConversation)?
    ) async throws -> AgentKey {
        try confirm(attempt)
        if let pending = managedKeys(place).pending[role] { return pending }
        let key =
            switch (role, place.account) {
            case (.deviceEncryption, _): try await keys.makeAgreementKey()
            case (.person, let account?): try await makeUserKey(of: account, conversation).key
            case (.deviceSigning, _), (.person, nil): try await keys.makeSigningKey()
            }
        try confirm(attempt)
        try await change(role, place) { $0.pending[role] = key }
        return key
    }

    /// The certificate of the old key goes with it.
    func completeRotation(
        of role: AgentKeyRole, _ place: KeyOwner, attempt: UInt64
    ) async throws {
        try confirm(attempt)
        guard let key = managedKeys(place).pending[role] else {
            throw KeyStoreError.unusable("no rotation was begun")
        }
        switch role {
        case .deviceSigning: record.devices[place.owner]?.signing = key
        case .deviceEncryption: record.devices[place.owner]?.encryption = key
        case .person:
            guard let account = place.account else { break }
            record.people[account]?.key = key
            record.people[account]?.isKeyInvalid = false
        }
        let time = now
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
        try confirm(attempt)
        try await change(role, place) { $0.certificates[role] = certificate }
    }

    // MARK: The person

    func person(_ account: String) -> ExtensionPerson {
        ExtensionPerson(
            isRegistered: record.machine.people[account]?.phase.isRegistered ?? false,
            loginUserName: record.people[account]?.loginUserName,
            configuration: record.people[account]?.configuration,
            tokens: record.people[account]?.tokens, identity: record.people[account]?.identity)
    }

    func save(loginUserName: String?, of account: String?, attempt: UInt64) async throws {
        guard let account else { throw PresentationError.notAllowed }
        try confirm(attempt)
        nameAnew(account, loginUserName, attempt: attempt)
        record.people[account, default: PersonRecord()].loginUserName = loginUserName
        record.people[account]?.isNameDoubted = false
        try await keep()
    }

    func save(tokens: JSONObject?, of account: String?, attempt: UInt64) async throws {
        guard let account else { throw PresentationError.notAllowed }
        try confirm(attempt)
        record.people[account, default: PersonRecord()].tokens = tokens
        try await keep()
    }

    // MARK: What is not right any more

    /// Nothing begins while the call is open: a registration would be repaired under its own hands.
    func note(_ need: ExtensionRepairReason, _ place: KeyOwner, attempt: UInt64) throws {
        try confirm(attempt)
        let isOfPerson = need == .reauthentication || need == .personRepair
        guard place.account != nil || !isOfPerson else { throw PresentationError.notAllowed }
        calls[attempt]?.needs.append((need, place))
    }

    func meet(_ needs: [(ExtensionRepairReason, KeyOwner)]) async {
        for (need, place) in needs {
            switch need {
            case .deviceRepair: await handle(.needsRepair(.device(place.owner)))
            case .decryptionKeys: await replaceEncryptionKey(of: place.owner)
            case .personRepair:
                if let account = place.account { await handle(.needsRepair(.person(account))) }
            case .reauthentication:
                if let account = place.account { await endLogin(of: account) }
            }
        }
    }

    private func replaceEncryptionKey(of owner: DeviceOwner) async {
        do {
            let key = try await keys.makeAgreementKey()
            guard record.devices[owner] != nil else { return }
            record.devices[owner]?.encryption = key
            try await keep()
        } catch { return notices.failed("making a key", error) }
        await handle(.needsRepair(.device(owner)))
    }

    /// A full login is due, however young the last one is.
    private func endLogin(of person: String) async {
        guard record.people[person]?.session != nil else { return }
        record.people[person]?.session?.fullLoginAt = Timestamp(milliseconds: 0)
        do { try await keep() } catch { return }
        await renew(person)
    }
}
