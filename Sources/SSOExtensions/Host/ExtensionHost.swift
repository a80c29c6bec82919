// SPDX-License-Identifier: Apache-2.0
package import Platform
import Primitives
package import SingleSignOn

/// The host of one extension. A request starts the extension's process, and the process is ended
/// after some idle time. Whatever the process does, every request gets one response or error.
package actor ExtensionHost {
    /// A process, from its start to its end.
    struct Life: Sendable {
        let process: ExtensionProcess
        let channel: ExtensionChannel
        let capabilities: Set<ExtensionManifest.Capability>
        let startedAt: Duration
        /// Set when the process is ready.
        var description: ExtensionDescription?
        /// The callers that wait until it is ready.
        var waiting: [CheckedContinuation<Result<ExtensionDescription, ExtensionError>, Never>] =
            []
        /// The reason why the host ends the process; `nil` until it does so.
        var ending: ExtensionError?
    }

    package nonisolated let identifier: String
    private let source: any ExtensionProgramSource
    let limits: ExtensionLimits
    let timer: any ExtensionTimer
    private let log: Descriptor
    let report: @Sendable (ExtensionEvent) -> Void

    var life: Life?
    /// A counter of processes, so that messages of an old one are not attributed to a new one.
    var generation: UInt64 = 0
    var open: [UInt64: OpenExtensionRequest] = [:]
    /// The number of the last request.
    private var issued: UInt64 = 0
    private var crashes = CrashRecord()
    private var idling: Task<Void, Never>?
    /// The callers that wait for the end of the process.
    private var unloading: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - log: The descriptor for the output of the process.
    ///   - report: Receives the events of the process, in order.
    package init(
        _ source: any ExtensionProgramSource, limits: ExtensionLimits = ExtensionLimits(),
        timer: any ExtensionTimer = SystemExtensionTimer(), log: Descriptor = .standardError,
        report: @escaping @Sendable (ExtensionEvent) -> Void = { _ in }
    ) {
        identifier = source.identifier
        self.source = source
        self.limits = limits
        self.timer = timer
        self.log = log
        self.report = report
    }

    deinit { life?.process.signal(.kill) }

    package var isLoaded: Bool { life != nil }

    // MARK: Asking

    /// Returns the extension's description. Starts the process if none runs.
    package func describe() async -> Result<ExtensionDescription, ExtensionError> {
        let result = await ready()
        restIfIdle()
        return result
    }

    /// Sends a request and waits for the response. The cancellation of the task is sent to the
    /// extension.
    package func perform(
        _ request: ExtensionHostRequest, calls: any ExtensionCallHandler = NoExtensionCalls()
    ) async -> Result<ExtensionResponse, ExtensionError> {
        guard open.count < limits.requestsAtOnce else {
            return .failure(.init(.overloaded, "\(open.count) requests are open"))
        }
        switch await ready() {
        case .failure(let failure): return .failure(failure)
        case .success(let description):
            defer { restIfIdle() }
            if let failure = incapacity(for: request, description) { return .failure(failure) }
            issued += 1
            let number = issued
            return await withTaskCancellationHandler {
                await withCheckedContinuation { begin(number, request, calls, $0) }
            } onCancel: {
                Task { await self.cancel(number) }
            }
        }
    }

    private func begin(
        _ number: UInt64, _ request: ExtensionHostRequest, _ calls: any ExtensionCallHandler,
        _ waiter: CheckedContinuation<Result<ExtensionResponse, ExtensionError>, Never>
    ) {
        idling?.cancel()
        guard !Task.isCancelled else {
            return waiter.resume(returning: .failure(.init(.canceled, "before it was asked")))
        }
        guard let life, life.ending == nil, life.channel.send(.request(number, request)) else {
            return waiter.resume(
                returning: .failure(life?.ending ?? .init(.crashed, "it ended while starting")))
        }
        open[number] = OpenExtensionRequest(request: request, calls: calls, waiter: waiter)
        open[number]?.deadline = after(limits.limit(of: request)) { host in
            await host.timedOut(number)
        }
    }

    private func incapacity(
        for request: ExtensionHostRequest, _ description: ExtensionDescription
    ) -> ExtensionError? {
        let capabilities = life?.capabilities ?? []
        switch request.kind {
        case .authorize:
            let isCapable = !capabilities.isDisjoint(with: [.redirect, .credential])
            return isCapable && description.handlesAuthorization
                ? nil : .init(.notCapable, "it does not handle requests of apps")
        default:
            return capabilities.contains(.platformSSO) && description.handlesRegistration
                ? nil : .init(.notCapable, "it registers nothing")
        }
    }

    /// Whether a request has had that number, so that a message about it is late and not invalid.
    func isIssued(_ number: UInt64) -> Bool { 1...max(issued, 1) ~= number && issued > 0 }

    private func cancel(_ number: UInt64) {
        guard let request = open.removeValue(forKey: number) else { return }
        _ = life?.channel.send(.cancel(number))
        request.close(.failure(.init(.canceled, "the caller cancelled it")))
    }

    private func timedOut(_ number: UInt64) {
        guard let request = open.removeValue(forKey: number) else { return }
        report(.timedOut(request.request.kind))
        let failure = ExtensionError(.timedOut, "no response to \(request.request.kind.rawValue)")
        request.close(.failure(failure))
        // A process that does not respond is ended.
        end(failure)
    }

    // MARK: The process

    private func ready() async -> Result<ExtensionDescription, ExtensionError> {
        idling?.cancel()
        // A process that is about to end does not respond.
        while life?.ending != nil { await waitForEnd() }
        if let description = life?.description { return .success(description) }
        if life == nil {
            if let rest = crashes.rest(now: timer.now) {
                return .failure(.init(.resting, "it ended too often; it rests \(rest)"))
            }
            do throws(ExtensionError) { try start() } catch { return .failure(error) }
        }
        return await withCheckedContinuation { life?.waiting.append($0) }
    }

    private func start() throws(ExtensionError) {
        let program: ExtensionProgram
        do throws(ExtensionTrustRefusal) { program = try source.open() } catch {
            throw ExtensionError(.refused, error.description)
        }
        let (group, socket) = try ExtensionSpawn.start(program, log: log)
        generation += 1
        let current = generation
        let (messages, inbox) = AsyncStream.makeStream(of: Received.self)
        let channel: ExtensionChannel
        do throws(ExtensionError) {
            channel = try ExtensionChannel(
                socket: socket, received: { inbox.yield(.message($0)) },
                fault: { inbox.yield(.fault($0)) })
        } catch {
            group.discard()
            throw error
        }
        let process: ExtensionProcess
        do throws(PlatformError) {
            process = try ExtensionProcess(group) { status in
                // `ended` follows all messages of the process.
                channel.end {
                    inbox.yield(.ended(status))
                    inbox.finish()
                }
            }
        } catch {
            channel.end { inbox.finish() }
            throw ExtensionError(.cannotStart, "\(error)")
        }
        life = Life(
            process: process, channel: channel, capabilities: program.capabilities,
            startedAt: timer.now)
        report(.started(pid: group.pid ?? group.leader))
        Task { [weak self] in
            for await received in messages { await self?.received(received, from: current) }
        }
        _ = channel.send(.hello(version: HostMessage.version, identifier: identifier))
        after(limits.start) { host in await host.checkReady(current) }
    }

    private func checkReady(_ generation: UInt64) {
        guard generation == self.generation, let life, life.description == nil else { return }
        end(.init(.notReady, "it did not send that it is ready"))
    }

    /// Kills the process after a fault or at a deadline; all waiting callers receive the reason.
    func end(_ failure: ExtensionError) {
        guard let life, life.ending == nil else { return }
        self.life?.ending = failure
        life.process.signal(.kill)
        closeAll(failure)
    }

    /// Handles the end of the process.
    func ended(with status: Int32) {
        guard let life else { return }
        // An end after `stop` is no crash, whatever its status. Every other end counts as a crash,
        // also one by `end(_:)`.
        let isExpected = life.ending?.code == .unloaded
        if !isExpected {
            crashes.crashed(
                after: timer.now - life.startedAt, now: timer.now, limits: limits.crashes)
        }
        report(.ended(status: status, isExpected: isExpected))
        closeAll(life.ending ?? .init(.crashed, "it ended with \(status)"))
        self.life = nil
        let waiters = unloading
        unloading = []
        for waiter in waiters { waiter.resume() }
    }

    private func closeAll(_ failure: ExtensionError) {
        let requests = open
        open = [:]
        let waiting = life?.waiting ?? []
        life?.waiting = []
        for request in requests.values { request.close(.failure(failure)) }
        for waiter in waiting { waiter.resume(returning: .failure(failure)) }
    }

    // MARK: Unloading

    /// Stops the process, or kills it after a deadline, and returns after its end.
    package func unload() async {
        guard life != nil else { return }
        stop()
        await waitForEnd()
    }

    /// Waits for the end of the process.
    private func waitForEnd() async {
        guard life != nil else { return }
        await withCheckedContinuation { unloading.append($0) }
    }

    private func stop() {
        guard let life, life.ending == nil else { return }
        let failure = ExtensionError(.unloaded, "the agent unloads it")
        self.life?.ending = failure
        closeAll(failure)
        let current = generation
        guard life.channel.send(.stop) else { return life.process.signal(.kill) }
        after(limits.stop) { host in await host.force(current) }
    }

    private func force(_ generation: UInt64) {
        if generation == self.generation { life?.process.signal(.kill) }
    }

    /// Starts the idle time if no request is open.
    private func restIfIdle() {
        guard open.isEmpty, life != nil, life?.ending == nil else { return }
        idling?.cancel()
        let current = generation
        idling = after(limits.idle) { host in await host.idle(current) }
    }

    private func idle(_ generation: UInt64) {
        guard generation == self.generation, open.isEmpty, life?.description != nil,
            life?.ending == nil
        else { return }
        report(.idle)
        stop()
    }

    @discardableResult
    private func after(
        _ duration: Duration, _ act: @escaping @Sendable (ExtensionHost) async -> Void
    ) -> Task<Void, Never> {
        Task { [timer, weak self] in
            guard (try? await timer.wait(duration)) != nil, !Task.isCancelled, let self else {
                return
            }
            await act(self)
        }
    }
}
