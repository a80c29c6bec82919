// SPDX-License-Identifier: Apache-2.0
package import AgentClient
import JOSE
import Platform
import PlatformSSO
package import Primitives
import SingleSignOn

/// The agent: routes events to ``RegistrationStateMachine``, saves the record, and performs the effects.
///
/// Each event is one step: the machine decides, the record is saved, and only then the effects start.
/// Other machines decide about sessions, unlock keys, rotations and requests; components perform what they
/// decide.
@AgentActor
package final class Agent {
    let keys: AgentKeyStore
    let exchange: ProviderExchange
    let facts: LocalDeviceAttributes
    let notices: any AgentEventLog
    /// `nil` if the device has no readers for smart cards.
    let cards: CardReader?
    /// `nil` if the device cannot use security keys.
    let securityKeys: PresenceKeys?
    /// Whether the device is set up for the first time.
    let isInSetup: @Sendable () -> Bool

    let records: RecordStore
    let profiles: ActiveProfiles
    let calls: ExtensionCalls
    let conversations = Conversations()
    let background = BackgroundWork()
    let sessions: MachineBox<SessionMachine>
    let unlock: MachineBox<UnlockMachine>
    let rotation: MachineBox<RotationMachine>
    /// Whether the record was never saved: a token that protects it has a key for it already.
    private let isNew: Bool
    private var onWake: (@Sendable (Timestamp?) -> Void)?

    package init(
        file: StateFile, keys: AgentKeyStore, profiles: ProfileFolder, exchange: ProviderExchange,
        extensions: any ExtensionSource, facts: LocalDeviceAttributes, cards: CardReader? = nil,
        securityKeys: PresenceKeys? = nil, notices: any AgentEventLog,
        isInSetup: @escaping @Sendable () -> Bool = { false },
        running: any BootTimeClock = SystemBootTimeClock()
    ) async throws {
        (self.keys, self.exchange, self.facts, self.notices) = (keys, exchange, facts, notices)
        (self.cards, self.securityKeys, self.isInSetup) = (cards, securityKeys, isInSetup)
        let loaded = try await BlockingCall.run { try file.load() }
        isNew = loaded == nil
        records = RecordStore(
            loaded ?? Self.emptyRecord(exchange), file: file, keys: keys, notices: notices,
            clock: exchange.clock, running: running)
        self.profiles = ActiveProfiles(profiles, extensions, keyStore: keys.kind)
        calls = ExtensionCalls(notices: notices, background: background)
        sessions = MachineBox(SessionMachine())
        unlock = MachineBox(UnlockMachine(isInMemory: keys.kind == .file))
        rotation = MachineBox(RotationMachine())
    }

    private static func emptyRecord(_ exchange: ProviderExchange) -> AgentRecord {
        let spread = exchange.random.bytes(1).first.map { Int64($0) * 235 } ?? 0
        return AgentRecord(
            machine: RegistrationStateMachine(spread: TimeSpan(milliseconds: spread)),
            latest: exchange.clock.now)
    }

    package var record: AgentRecord { records.record }

    private var now: Timestamp { records.now }

    // MARK: Time

    /// Starts: interrupted calls are repeated, and the profiles are read.
    ///
    /// - Parameters:
    ///   - wake: Receives the time when ``woke()`` is due; `nil` for never.
    ///   - failure: Called if the record cannot be saved: the agent must end, as the content of the disk is
    ///     unknown.
    package func start(
        wake: @escaping @Sendable (Timestamp?) -> Void,
        failure: @escaping @Sendable (any Error) -> Void
    ) async throws {
        onWake = wake
        records.onFailure = failure
        records.onChange = { [weak self] in self?.setTimer() }
        if isNew { try await records.write() }
        await attestation.makeKey()
        try await apply(
            [.resumed, try await profiles.read(records)] + interruptedResets)
        await followProfiles()
        // The provider receives new keys before it receives requests.
        await renewDue()
    }

    /// Repairs for devices whose extension made new keys in a call that was interrupted.
    private var interruptedResets: [RegistrationEvent] {
        record.registrations.devices.keys.filter {
            record.registrations.devices[$0]?.phase == .registered
                && record.devices[$0]?.configuration == nil
        }.map { .needsRepair(.device($0)) }
    }

    /// Reads the profiles again.
    package func reload() async {
        do { try await apply([try await profiles.read(records)]) } catch {
            records.onFailure?(error)
        }
        await followProfiles()
    }

    private func followProfiles() async {
        await personKeys.repairWeakKeys()
        await avatars.deleteUnwanted()
        await grace.endExpired()
    }

    /// Performs what is due.
    package func woke() async {
        if let removal = profiles.state.installed.nextRemoval, removal <= now { await reload() }
        await handle(.woke)
        await grace.endExpired()
        await renewDue()
    }

    private func renewDue() async {
        await rotations.rotateDue()
        await renewals.renewDue()
        await unlockKeys.renewDue()
    }

    private func setTimer() { onWake?(nextWake) }

    private var nextWake: Timestamp? {
        [
            record.registrations.nextWake, profiles.state.installed.nextRemoval, grace.nextEnd,
            rotations.next(), unlockKeys.nextRenewal, schedules.nextRenewal,
        ].compactMap { $0 }.min()
    }
}

// MARK: - Events

extension Agent: AgentEvents {
    package func handle(_ event: RegistrationEvent) async {
        do { try await apply([event]) } catch { records.onFailure?(error) }
    }

    @discardableResult
    func apply(
        _ events: [RegistrationEvent], with change: (inout AgentRecord) -> Void
    ) async throws -> [RegistrationEffect] {
        let (time, before) = (now, records.record)
        change(&records.record)
        let effects = events.flatMap { records.record.machine.handle($0, now: time) }
        for effect in effects { applyToRecord(effect) }
        admissions.adoptTerms()
        if records.record != before { try await records.write() }
        for effect in effects { perform(effect) }
        records.publishChange()
        return effects
    }

    /// Changes the record in the same step as the phases: a registration without keys is not registered.
    private func applyToRecord(_ effect: RegistrationEffect) {
        switch effect {
        case .forget(let subject):
            records.end(subject)
            switch subject {
            case .device(let owner): records.record.devices[owner] = nil
            case .person(let person):
                records.record.people[person] = nil
                unlock.machine.handle(.forgotten(person), now: now)
            }
        case .begin(.device(let owner), _): records.record.devices[owner]?.leavingSince = nil
        default: break
        }
    }

    /// Starts one effect, after the record was saved.
    private func perform(_ effect: RegistrationEffect) {
        switch effect {
        case .begin(let subject, let attempt): registrationCalls.start(subject, attempt)
        case .abandon(let attempt): calls.abandon(attempt, self)
        case .prompt(let subject): notices.prompt(subject)
        case .signIn(let person): signIns.start(person)
        case .bindKey(let person, let attempt): unlockKeys.startBinding(person, attempt)
        case .complete: notify { await $0.registrationDidComplete() }
        case .cancel: notify { await $0.registrationDidCancel() }
        case .configurationRemoved: notify { await $0.configurationRemoved() }
        case .leave(let owner):
            let departures = departures
            background.start { await departures.leave(owner) }
        case .forget, .decline: break
        }
    }

    private func notify(_ call: @escaping @Sendable (any RegistrationExtension) async -> Void) {
        guard let serving = profiles.notified else { return }
        background.start { await call(serving.registration) }
    }

    func deviceUnknown(_ failure: ProviderError, _ origin: RequestOrigin) async {
        await recovery.recover(from: failure, origin)
    }

    func meet(_ call: PendingExtensionCall) async { await needs.meet(call) }
}
