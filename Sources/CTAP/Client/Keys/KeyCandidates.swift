// SPDX-License-Identifier: Apache-2.0

/// The candidates of a ``KeySelection`` and their states.
struct KeyCandidates {
    enum Event: Sendable {
        case devices([any AuthenticatorDevice])
        /// The list of devices is final.
        case complete
        case opened(String, Result<SecurityKey, SecurityKeyError>)
        case touched(SecurityKey)
        case failed(String, SecurityKeyError)
        /// A device that was not accessible may be accessible now.
        case retryDue(String)
    }

    /// The time in which udev sets the permissions of a new device, and another program may probe
    /// it.
    private static let settingUp: Duration = .seconds(1)

    private enum Candidate {
        case opening
        /// Not accessible to this process, or used by another one, possibly only for a moment.
        case settingUp
        case waiting(SecurityKey)
        case failed(SecurityKeyError)
    }

    private let operation: SecurityKeyOperation
    private let interaction: any SecurityKeyInteraction
    private let delay: any Delay
    private let sink: AsyncStream<Event>.Continuation
    private var candidates: [String: Candidate] = [:]
    private var present: [any AuthenticatorDevice] = []
    /// The devices that were already delayed.
    private var delayed: Set<String> = []
    private var isComplete = false

    /// Creates an empty set of candidates.
    ///
    /// - Parameter sink: The queue for the results of devices.
    init(
        operation: SecurityKeyOperation, interaction: any SecurityKeyInteraction,
        delay: any Delay, sink: AsyncStream<Event>.Continuation
    ) {
        self.operation = operation
        self.interaction = interaction
        self.delay = delay
        self.sink = sink
    }

    /// Processes an event. Returns the decision, or `nil` if there is none yet.
    mutating func process(
        _ event: Event, _ group: inout TaskGroup<Void>
    ) async -> Result<SecurityKey, SecurityKeyError>? {
        switch event {
        case .devices(let devices): return await changed(to: devices, &group)
        case .complete:
            isComplete = true
            if candidates.isEmpty { return .failure(present.isEmpty ? .noKey : .keyRemoved) }
        case .touched(let key): return .success(key)
        case .opened(let id, .success(let key)): return await opened(id, key, &group)
        case .opened(let id, .failure(let error)), .failed(let id, let error):
            return await failed(id, error, &group)
        case .retryDue(let id):
            guard case .settingUp? = candidates[id] else { return nil }
            candidates[id] = nil
            openNewDevices(&group)
        }
        return nil
    }

    // MARK: Events

    /// Processes a change of devices. If devices that wait for a touch were removed, prompts for
    /// the remaining ones.
    private mutating func changed(
        to devices: [any AuthenticatorDevice], _ group: inout TaskGroup<Void>
    ) async -> Result<SecurityKey, SecurityKeyError>? {
        let waited = waiting.count
        present = devices
        openNewDevices(&group)
        if devices.isEmpty { await interaction.show(.insertKey(operation)) }
        if let failure { return .failure(failure) }
        if !waiting.isEmpty, waiting.count < waited { await promptForTouch() }
        return nil
    }

    private mutating func openNewDevices(_ group: inout TaskGroup<Void>) {
        let ids = Set(present.map(\.description.id))
        candidates = candidates.filter { ids.contains($0.key) }
        for device in present where candidates[device.description.id] == nil {
            candidates[device.description.id] = .opening
            group.addTask { [sink] in await Self.open(device, sink) }
        }
    }

    /// Selects the key if it is the only one; one of several must be touched.
    private mutating func opened(
        _ id: String, _ key: SecurityKey, _ group: inout TaskGroup<Void>
    ) async -> Result<SecurityKey, SecurityKeyError>? {
        guard candidates[id] != nil else { return nil }
        if candidates.count == 1 { return .success(key) }
        candidates[id] = .waiting(key)
        await promptForTouch()
        group.addTask { [delay, sink] in await Self.touch(key, delay, sink) }
        return nil
    }

    private mutating func failed(
        _ id: String, _ error: SecurityKeyError, _ group: inout TaskGroup<Void>
    ) async -> Result<SecurityKey, SecurityKeyError>? {
        guard candidates[id] != nil else { return nil }
        if error == .accessDenied || error == .keyBusy, delayed.insert(id).inserted {
            candidates[id] = .settingUp
            group.addTask { [delay, sink] in
                await delay.wait(Self.settingUp)
                sink.yield(.retryDue(id))
            }
            return nil
        }
        candidates[id] = error == .keyRemoved ? nil : .failed(error)
        if let failure { return .failure(failure) }
        guard candidates.isEmpty else { return nil }
        // It was removed while it was opened: a fixed source does not report it again.
        if isComplete { return .failure(.keyRemoved) }
        await interaction.show(.insertKey(operation))
        return nil
    }

    /// Once nothing is left that could still be touched, why.
    private var failure: SecurityKeyError? {
        var latest: SecurityKeyError?
        for candidate in candidates.values {
            guard case .failed(let error) = candidate else { return nil }
            latest = error
        }
        return latest
    }

    /// The keys that could be touched now, in the order in which they are shown.
    private var waiting: [AuthenticatorDescription] {
        candidates.values.compactMap { candidate in
            if case .waiting(let key) = candidate { key.description } else { nil }
        }.sorted { $0.id < $1.id }
    }

    private func promptForTouch() async { await interaction.show(.touchOneOf(waiting, operation)) }

    // MARK: Concurrent work

    private static func open(
        _ device: any AuthenticatorDevice, _ sink: AsyncStream<Event>.Continuation
    ) async {
        do throws(SecurityKeyError) {
            let key = try await SecurityKey.open(device)
            sink.yield(.opened(device.description.id, .success(key)))
        } catch {
            sink.yield(.opened(device.description.id, .failure(error)))
        }
    }

    private static func touch(
        _ key: SecurityKey, _ delay: any Delay, _ sink: AsyncStream<Event>.Continuation
    ) async {
        do throws(SecurityKeyError) {
            try await key.waitForTouch(delay: delay)
            sink.yield(.touched(key))
        } catch {
            sink.yield(.failed(key.description.id, error))
        }
    }
}
