// SPDX-License-Identifier: Apache-2.0
import AgentClient
import PlatformSSO
import Primitives
import SingleSignOn

/// Describes the registrations of the device for people and scripts.
@AgentActor
struct AgentStatusReport {
    let records: RecordStore
    let profiles: ActiveProfiles
    let calls: ExtensionCalls
    let schedules: SignInSchedules
    let personKeys: PersonKeys
    let unlockKeys: PersonUnlockKeys
    let rotations: Rotations
    let admissions: Admissions
    let keyStore: KeyStoreKind

    private var record: AgentRecord { records.record }
    private var now: Timestamp { records.now }

    /// - Parameter person: The account whose registration is described; `nil` for all.
    func status(of person: String?) -> AgentStatus {
        let people = record.registrations.people.keys.sorted().filter {
            person == nil || $0 == person
        }
        let installed = profiles.state.installed
        var status = AgentStatus(now: now, keyStore: keyStore.rawValue)
        status.extensionIdentifier = record.registrations.plan?.extensionIdentifier
        status.method = record.registrations.plan?.method
        status.attestationKey = record.attestationKey?.encoded
        status.devices = record.registrations.devices.keys.sorted { $0.text < $1.text }
            .filter { $0 == .everyone || person == nil || $0 == .person(person ?? "") }
            .compactMap { device($0) }
        status.people = people.compactMap { self.person($0) }
        status.problems = (installed.problems + installed.warnings).map {
            "\($0.file): \($0.reason)"
        }
        status.profiles = profiles.folder.path
        return status
    }

    private func device(_ owner: DeviceOwner) -> AgentStatus.Device? {
        guard let phase = record.registrations.devices[owner]?.phase else { return nil }
        let stored = record.devices[owner]
        var status = AgentStatus.Device(owner: owner, phase: phase.name)
        if case .retrying(let time) = phase { status.until = time }
        status.keyID = stored.map { KeyIdentifier($0.signing.publicKey).description }
        status.issuer = stored?.configuration?.issuer
        status.registeredAt = stored?.registeredAt
        status.rotatesAt = rotations.next(of: owner)
        if phase != .registered { status.reason = calls.reasons[.device(owner)] }
        return status
    }

    private func person(_ account: String) -> AgentStatus.Person? {
        guard let phase = record.registrations.people[account]?.phase else { return nil }
        var status = AgentStatus.Person(account: account, phase: phase.name)
        switch phase {
        case .retrying(let time), .bindingLater(let time): status.until = time
        default: break
        }
        status.loginUserName = record.people[account]?.loginUserName
        status.keyID = record.people[account]?.key.map { KeyIdentifier($0.publicKey).description }
        status.hasUnlockKey = unlockKeys.key(of: account) != nil
        let schedule = schedules.schedule(of: account)
        status.fullLoginAt = schedule.session?.fullLoginAt
        switch schedule.standing(now: now, latest: records.earliest) {
        case .signedIn: status.standing = "signed_in"
        case .grace(let until): (status.standing, status.standingUntil) = ("grace", until)
        case .signedOut: break
        }
        switch schedule.step(now: now) {
        case .wait(let time): (status.next, status.nextAt) = (action(schedule, at: time), time)
        case .refresh, .signInWithKey: status.next = "renew"
        case .askPerson: status.next = "sign_in"
        }
        if let guarded = record.people[account]?.key?.guarded {
            if guarded.asksPIN { status.pinTries = personKeys.triesLeft(of: account) }
            status.needsSecurityKey = guarded.presence != nil
        }
        status.needsRepair =
            record.registrations.people[account]?.pending.contains(.registrationRepair) ?? false
        status.hasOwnProfile = profiles.state.choice.accounts[account] != nil
        describe(account, in: &status)
        status.strangerAt = record.people[account]?.strangerAt
        status.owesLogin = record.people[account]?.owesLogin ?? false
        if !phase.isRegistered { status.reason = calls.reasons[.person(account)] }
        status.places = AdmissionPoint.allCases.map { place in
            admissions.admission(of: account, at: place).outlook(now: now)
        }
        return status
    }

    private func describe(_ account: String, in status: inout AgentStatus.Person) {
        let portrait = record.people[account]?.portrait
        let claim =
            profiles.configuration(for: account)?.platformSSO?.tokenToUserMapping?.fullName
            ?? "name"
        status.name = record.people[account]?.session.flatMap {
            StoredClaims($0.idToken).line(claim)
        }
        status.groups = (record.people[account]?.session?.groups ?? []).map {
            .init(identifier: $0, name: portrait?.names[$0])
        }
        status.picture = portrait?.picture.map {
            .init(format: $0.format.rawValue, length: $0.bytes.count)
        }
    }

    /// Returns the action at that time.
    private func action(_ schedule: SignInSchedule, at time: Timestamp) -> String {
        var later = schedule
        later.failedAt = nil
        return if case .askPerson = later.step(now: time) { "sign_in" } else { "renew" }
    }
}
