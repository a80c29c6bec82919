// SPDX-License-Identifier: Apache-2.0

/// Finds the key to work with: the only one, or of several the one that is touched; when there is
/// none, the first that is put in.
struct KeySelection: Sendable {
    let source: any AuthenticatorSource
    let interaction: any SecurityKeyInteraction
    let delay: any Delay

    private enum Event: Sendable {
        case devices([any AuthenticatorDevice])
        /// No other device will ever come.
        case complete
        case opened(String, Result<SecurityKey, SecurityKeyError>)
        case touched(SecurityKey)
        case failed(String, SecurityKeyError)
        /// Time has passed for the system to open a new device to people.
        case settled(String)
    }

    /// How long udev may take to do that.
    private static let settling: Duration = .seconds(1)

    private enum Candidate {
        case opening
        /// Forbidden to this process, which may last a moment only.
        case settling
        case waiting(SecurityKey)
        case failed(SecurityKeyError)
    }

    /// - Parameter operation: What the key will be used for, to be shown.
    func choose(_ operation: SecurityKeyOperation) async throws(SecurityKeyError) -> SecurityKey {
        let (events, sink) = AsyncStream.makeStream(of: Event.self)
        let result = await withTaskGroup(
            of: Void.self, returning: Result<SecurityKey, SecurityKeyError>.self
        ) { group in
            group.addTask { [source] in
                for await devices in source.snapshots() { sink.yield(.devices(devices)) }
                if !Task.isCancelled { sink.yield(.complete) }
            }
            let result = await decide(operation, events, sink, &group)
            group.cancelAll()
            return result
        }
        return try result.get()
    }

    private func decide(
        _ operation: SecurityKeyOperation, _ events: AsyncStream<Event>,
        _ sink: AsyncStream<Event>.Continuation, _ group: inout TaskGroup<Void>
    ) async -> Result<SecurityKey, SecurityKeyError> {
        var candidates: [String: Candidate] = [:]
        var present: [any AuthenticatorDevice] = []
        var settled: Set<String> = []
        var isComplete = false
        for await event in events {
            switch event {
            case .devices(let devices):
                present = devices
                update(&candidates, devices, sink, &group)
                if devices.isEmpty { await interaction.show(.insertKey(operation)) }
            case .complete:
                isComplete = true
                if candidates.isEmpty { return .failure(present.isEmpty ? .noKey : .keyRemoved) }
            case .touched(let key): return .success(key)
            case .opened(let id, .success(let key)):
                guard candidates[id] != nil else { continue }
                if candidates.count == 1 { return .success(key) }
                candidates[id] = .waiting(key)
                await askForTouch(candidates, operation)
                group.addTask { [delay] in await Self.touch(key, delay, sink) }
            case .opened(let id, .failure(let error)), .failed(let id, let error):
                guard candidates[id] != nil else { continue }
                if error == .accessDenied, settled.insert(id).inserted {
                    candidates[id] = .settling
                    group.addTask { [delay] in
                        await delay.wait(Self.settling)
                        sink.yield(.settled(id))
                    }
                    continue
                }
                candidates[id] = error == .keyRemoved ? nil : .failed(error)
                if let failure = Self.failure(of: candidates) { return .failure(failure) }
                guard candidates.isEmpty else { continue }
                // It went while it was opened: what is fixed does not come back.
                if isComplete { return .failure(.keyRemoved) }
                await interaction.show(.insertKey(operation))
            case .settled(let id):
                guard case .settling? = candidates[id] else { continue }
                candidates[id] = nil
                update(&candidates, present, sink, &group)
            }
        }
        return .failure(.cancelled)
    }

    private func update(
        _ candidates: inout [String: Candidate], _ devices: [any AuthenticatorDevice],
        _ sink: AsyncStream<Event>.Continuation, _ group: inout TaskGroup<Void>
    ) {
        let present = Set(devices.map(\.description.id))
        candidates = candidates.filter { present.contains($0.key) }
        for device in devices where candidates[device.description.id] == nil {
            candidates[device.description.id] = .opening
            group.addTask { await Self.open(device, sink) }
        }
    }

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

    private func askForTouch(
        _ candidates: [String: Candidate], _ operation: SecurityKeyOperation
    ) async {
        let waiting = candidates.values.compactMap { candidate in
            if case .waiting(let key) = candidate { key.description } else { nil }
        }
        await interaction.show(
            .touchOneOf(waiting.sorted { $0.id < $1.id }, operation))
    }

    /// Once nothing is left that could still be touched, why.
    private static func failure(of candidates: [String: Candidate]) -> SecurityKeyError? {
        var latest: SecurityKeyError?
        for candidate in candidates.values {
            guard case .failed(let error) = candidate else { return nil }
            latest = error
        }
        return latest
    }
}
