// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Platform
import Primitives

/// The record of the agent: saves it in the order of the changes, and resumes the components that wait
/// for a change.
@AgentActor
final class RecordStore {
    var record: AgentRecord
    private(set) var origins = RequestOrigins()
    /// Called after each change that was published.
    var onChange: (@AgentActor () -> Void)?
    /// Called if the record cannot be saved: the agent must end, as the content of the disk is unknown.
    var onFailure: (@Sendable (any Error) -> Void)?
    private let file: any RecordFile
    private let keys: any KeySource
    private let notices: any AgentEventLog
    private let clock: any WallClock
    private let running: any BootTimeClock
    private var seen: LatestKnownTime
    /// The keys of the record on the disk.
    private var savedKeys: [AgentKey]
    private var saving: Task<Void, any Error>?
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(
        _ record: AgentRecord, file: any RecordFile, keys: any KeySource,
        notices: any AgentEventLog, clock: any WallClock, running: any BootTimeClock
    ) {
        self.record = record
        (self.file, self.keys, self.notices) = (file, keys, notices)
        (self.clock, self.running) = (clock, running)
        seen = LatestKnownTime(record.latest, elapsed: running.elapsed)
        savedKeys = record.keys
    }

    // MARK: Time

    var now: Timestamp { clock.now }

    /// The earliest time that is possible now.
    var earliest: Timestamp { seen.earliest(now, elapsed: running.elapsed) }

    /// Accepts the present time, because a provider accepted it: a clock that was ahead before has
    /// no effect from now on.
    func confirmTime() {
        let time = now
        guard time + SignInSchedule.leeway < earliest else { return }
        seen.confirm(time, elapsed: running.elapsed)
    }

    // MARK: Saving

    /// Writes the record of this moment. Writes run in the order of the calls.
    func write() async throws {
        seen.see(now, elapsed: running.elapsed)
        record.latest = seen.latest
        let (previous, file, record) = (saving, file, record)
        let task = Task {
            try await previous?.value
            try await BlockingCall.run { try file.save(record) }
            // Part of the chain: an older record would otherwise discard the keys of a newer one.
            await discardKeys(except: record.keys)
        }
        saving = task
        try await task.value
    }

    /// Saves a change that is not part of an event. A failure ends the agent.
    func save() async throws {
        do { try await write() } catch {
            onFailure?(error)
            throw error
        }
        publishChange()
    }

    /// Destroys the keys on a token that the record on the disk does not contain any longer. A key that
    /// cannot be destroyed now stays on the token unused.
    private func discardKeys(except current: [AgentKey]) async {
        let unused = savedKeys.filter { !current.contains($0) }
        savedKeys = current
        for key in unused {
            do { try await keys.discard(key) } catch { notices.failed("destroying a key", error) }
        }
    }

    // MARK: Changes

    /// Resumes the waiting components and sets the timer.
    func publishChange() {
        let resumed = waiters
        waiters = []
        for waiter in resumed { waiter.resume() }
        onChange?()
    }

    /// Returns after the next change.
    func nextChange() async { await withCheckedContinuation { waiters.append($0) } }

    // MARK: Requests

    /// Returns the registrations of a person now; `nil` before both are registered.
    func origin(of person: String) -> RequestOrigin? { origins.origin(of: person, in: record) }

    /// Whether the registrations of a request are those of now.
    func isCurrent(_ origin: RequestOrigin) -> Bool { origins.isCurrent(origin, in: record) }

    /// Drops the responses to requests that were sent under that registration.
    func end(_ registration: RegistrationSubject) { origins.handle(.ended(registration)) }

    /// Runs a departure of a device; responses to requests that overlap with it do not show that the
    /// device is registered.
    func whileLeaving<Value: Sendable>(
        _ owner: DeviceOwner, _ body: () async throws -> Value
    ) async rethrows -> Value {
        origins.handle(.departureStarted(owner))
        defer { origins.handle(.departureFinished(owner)) }
        return try await body()
    }

    /// A device that started to leave, and under which a person signed in afterwards, has not left.
    func confirmRegistration(_ origin: RequestOrigin) {
        let since = record.devices[origin.owner]?.leavingSince
        guard origins.showsRegistration(origin, leavingSince: since, now: now) else { return }
        record.devices[origin.owner]?.leavingSince = nil
    }
}
