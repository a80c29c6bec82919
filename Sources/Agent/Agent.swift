// SPDX-License-Identifier: Apache-2.0
import JOSE
import Platform
import PlatformSSO
package import Primitives
import SingleSignOn

/// The agent: carries out what ``RegistrationStateMachine`` and ``SignInSchedule`` decide, and keeps
/// everything in one file.
///
/// Each event is one step: the machine decides, the record is saved, and only then the effects begin.
/// What an extension saves while it is called is saved the same way before it goes on.
package actor Agent {
    let file: StateFile
    let keys: AgentKeyStore
    let profiles: ProfileFolder
    let exchange: ProviderExchange
    let extensions: any ExtensionSource
    let facts: LocalDeviceAttributes
    let notices: any AgentEventLog
    let running: any BootTimeClock
    /// `nil` on a machine without readers.
    let cards: CardReader?
    /// `nil` where nobody's security key can be asked.
    let securityKeys: PresenceKeys?
    /// Whether the machine is set up for the first time.
    let isInSetup: @Sendable () -> Bool

    package internal(set) var record: AgentRecord
    var installed = InstalledProfiles()
    /// Where grace periods count from, whatever happens to the clock.
    var seen: LatestKnownTime
    /// The payloads that configure Platform SSO, while some are installed.
    var choice = ConfigurationChoice()
    /// The one before it, whose extension is told that it has gone.
    var outgoing: SSOConfiguration?
    var calls: [UInt64: PendingExtensionCall] = [:]
    var conversations: [String: any AgentConversation] = [:]
    /// When renewing a person's tokens failed last, for no fault of theirs.
    var failures: [String: Timestamp] = [:]
    var renewing: Set<String> = []
    /// How often each registration has ended: an answer to a request of before is not about the next one.
    var endings: [RegistrationSubject: UInt64] = [:]
    var leavings: [DeviceOwner: LeavingCount] = [:]
    /// As in the record, for keys in a file: it ends with this process.
    var lent: [String: [CachedKeyAgreement]] = [:]
    /// Why registrations did not succeed.
    var reasons: [RegistrationSubject: String] = [:]
    /// When asking for another unlock key brought none.
    var unlockFailures: [String: Timestamp] = [:]
    /// When replacing a key failed last.
    var rotationFailedAt: Timestamp?
    /// Counts readings of the profiles.
    var lastReading: UInt64 = 0
    /// Counts requests of apps.
    var lastRequest: UInt64 = 0
    /// Counts what runs and has nobody who waits for it.
    var backgroundCount = 0
    /// Whether nothing was under way when this began, for it comes from a rest.
    private let isRested: Bool
    /// Whether nothing was ever saved: a token that guards the state already has a key for it.
    private var isNew = false
    /// The keys that the record on the disk knows.
    private var saved: [AgentKey] = []
    private var saving: Task<Void, any Error>?
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var onWake: (@Sendable (Timestamp?) -> Void)?
    var onFailure: (@Sendable (any Error) -> Void)?

    /// - Parameter memory: What an agent that rested left to this one.
    package init(
        file: StateFile, keys: AgentKeyStore, profiles: ProfileFolder, exchange: ProviderExchange,
        extensions: any ExtensionSource, facts: LocalDeviceAttributes, cards: CardReader? = nil,
        securityKeys: PresenceKeys? = nil, notices: any AgentEventLog,
        isInSetup: @escaping @Sendable () -> Bool = { false },
        running: any BootTimeClock = SystemBootTimeClock(),
        memory: IdleProcessState? = nil
    ) async throws {
        self.file = file
        self.keys = keys
        self.profiles = profiles
        self.exchange = exchange
        self.extensions = extensions
        self.facts = facts
        self.notices = notices
        self.cards = cards
        self.securityKeys = securityKeys
        self.isInSetup = isInSetup
        self.running = running
        let now = exchange.clock.now
        let spread = exchange.random.bytes(1).first.map { Int64($0) * 235 } ?? 0
        let loaded = try await BlockingCall.run { try file.load() }
        isNew = loaded == nil
        record =
            loaded
            ?? AgentRecord(
                machine: RegistrationStateMachine(spread: TimeSpan(milliseconds: spread)),
                latest: now)
        seen = LatestKnownTime(record.latest, elapsed: memory?.savedAt ?? running.elapsed)
        isRested = memory != nil
        (failures, lent) = (memory?.failures ?? [:], memory?.lent ?? [:])
        rotationFailedAt = memory?.rotationFailedAt
        unlockFailures = memory?.unlockFailures ?? [:]
        saved = record.keys
    }

    var now: Timestamp { exchange.clock.now }

    /// Begins: what was cut off goes on, and the profiles are read.
    ///
    /// - Parameters:
    ///   - wake: Told when ``woke()`` is due next; `nil` for never.
    ///   - failure: Told when the record cannot be saved: the agent must end, for nobody knows what
    ///     is on the disk.
    package func start(
        wake: @escaping @Sendable (Timestamp?) -> Void,
        failure: @escaping @Sendable (any Error) -> Void
    ) async throws {
        (onWake, onFailure) = (wake, failure)
        if isNew { try await save() }
        await makeAttestationKey()
        try await take(
            (isRested ? [] : [.resumed]) + [try await readProfiles()] + halfReset)
        await demandPINs()
        await erasePictures()
        await endGrace()
        // What the provider knows a key by comes before what it is asked for.
        await rotateKeys()
        await renewAll()
        await renewUnlockKeys()
    }

    /// Machines whose extension made new keys in the middle of something else, and was cut off.
    private var halfReset: [RegistrationEvent] {
        record.machine.devices.keys.filter {
            record.machine.devices[$0]?.phase == .registered
                && record.devices[$0]?.configuration == nil
        }.map { .needsRepair(.device($0)) }
    }

    /// Reads the profiles again.
    package func reload() async {
        do { try await take([try await readProfiles()]) } catch { onFailure?(error) }
        await demandPINs()
        await erasePictures()
        await endGrace()
    }

    /// It is time to look at the clock.
    package func woke() async {
        if let removal = installed.nextRemoval, removal <= now { await reload() }
        await handle(.woke)
        await endGrace()
        await rotateKeys()
        await renewAll()
        await renewUnlockKeys()
    }

    // MARK: Steps

    /// One event. A record that cannot be saved ends the agent.
    package func handle(_ event: RegistrationEvent) async {
        do { try await take([event]) } catch { onFailure?(error) }
    }

    /// Decides, saves, and only then begins.
    ///
    /// - Parameter change: What else is saved in the same step.
    @discardableResult
    func take(
        _ events: [RegistrationEvent], with change: (inout AgentRecord) -> Void = { _ in }
    ) async throws -> [RegistrationEffect] {
        let time = now
        let before = record
        change(&record)
        let effects = events.flatMap { record.machine.handle($0, now: time) }
        for case .forget(let subject) in effects { forget(subject) }
        for case .begin(.device(let owner), _) in effects {
            record.devices[owner]?.leavingSince = nil
        }
        adoptTerms()
        if record != before { try await save() }
        for effect in effects { perform(effect) }
        changed()
        return effects
    }

    /// In the same step as the phases: nothing says registered whose keys are gone.
    private func forget(_ subject: RegistrationSubject) {
        end(subject)
        switch subject {
        case .device(let owner): record.devices[owner] = nil
        case .person(let person): (record.people[person], lent[person]) = (nil, nil)
        }
    }

    /// In the order of the calls, each with the record as it was then.
    func save() async throws {
        seen.see(now, elapsed: running.elapsed)
        record.latest = seen.latest
        let (previous, file, record) = (saving, file, record)
        let task = Task {
            try await previous?.value
            try await BlockingCall.run { try file.save(record) }
            // In the chain: out of turn, an older record would take keys away that a newer one knows.
            await discardKeys(except: record.keys)
        }
        saving = task
        try await task.value
    }

    /// Keys that the disk does not know any more are taken off their token. One that cannot be now
    /// stays there, of use to nobody.
    private func discardKeys(except living: [AgentKey]) async {
        let gone = saved.filter { !living.contains($0) }
        saved = living
        for key in gone {
            do { try await keys.discard(key) } catch { notices.failed("destroying a key", error) }
        }
    }

    /// Saves a change that is not an event's; a failure ends the agent.
    func keep() async throws {
        do { try await save() } catch {
            onFailure?(error)
            throw error
        }
        changed()
    }

    /// Whoever waits looks again, and the clock is set.
    func changed() {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
        onWake?(nextWake)
    }

    /// Waits for the next change.
    func change() async { await withCheckedContinuation { waiters.append($0) } }

    var nextWake: Timestamp? {
        let renewals = record.people.keys.compactMap { person -> Timestamp? in
            guard !renewing.contains(person), record.people[person]?.session != nil,
                case .wait(let time) = schedule(of: person).step(now: now)
            else { return nil }
            return time
        }
        let times =
            renewals
            + [
                record.machine.nextWake, installed.nextRemoval, nextGraceEnd, nextRotation,
                nextUnlockRenewal,
            ].compactMap { $0 }
        return times.min()
    }
}

/// A call of the extension, and the end of the patience with it.
struct PendingExtensionCall: Sendable {
    let task: Task<Void, Never>
    let limit: Task<Void, Never>
    /// What is to be done after it.
    var needs: [(ExtensionRepairReason, KeyOwner)] = []
    /// Whose device keys it replaced, outside of their registration.
    var reset: DeviceOwner?
    /// Of a key of the person's, typed or touched for in this call.
    var pin: (key: AgentKey, secret: Secret)?

    func cancel() {
        task.cancel()
        limit.cancel()
    }
}
