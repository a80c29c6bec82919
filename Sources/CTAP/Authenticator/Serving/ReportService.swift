// SPDX-License-Identifier: Apache-2.0
import Platform
import Primitives
import Synchronization

/// The service of one software key over one ``ReportPort``. It ends if it is stopped or if the peer
/// disconnects.
final class ReportService: AuthenticatorService {
    private struct State {
        var device: CTAPHIDDevice
        /// While the service runs.
        var port: ReportPort?
        var operation: Task<Void, Never>?
        var nextKeepalive = ReportService.now + ReportService.keepaliveInterval
        var isStopping = false
    }

    private let authenticator: SoftwareAuthenticator
    /// The service reads, the authenticator writes its answers itself, wherever it made them.
    private let state: Mutex<State>
    private let thread: AuthenticatorThread
    private let arrival: ThreadWait
    private let end = ServiceEnd()

    init(
        _ authenticator: SoftwareAuthenticator, random: any RandomSource
    ) throws(ServingError) {
        self.authenticator = authenticator
        let capabilities: CTAPHIDCapabilities =
            authenticator.configuration.speaksU2F ? [.wink, .cbor] : [.wink, .cbor, .noMessages]
        state = Mutex(State(device: CTAPHIDDevice(capabilities: capabilities, random: random)))
        do { thread = try authenticator.threadForReports() } catch {
            throw ServingError(error)
        }
        arrival = ThreadWait(on: thread)
    }

    /// Begins to serve; the port is the service's from now on.
    func start(_ port: ReportPort) {
        state.withLock { $0.port = port }
        Task(executorPreference: thread.tasks) { [self] in await run(port.file) }
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        arrival.wake()
    }

    func waitForEnd() async { await end.reached() }

    // MARK: Waiting

    private func run(_ file: Descriptor) async {
        while !state.withLock({ $0.isStopping }) {
            let (isReadable, isGone) = await wait(for: file)
            guard state.withLock({ turn(&$0, isReadable: isReadable, isGone: isGone) }) else {
                break
            }
        }
        close()
        state.withLock { $0.operation }?.cancel()
        end.reach()
    }

    private static let keepaliveInterval = TimeSpan(milliseconds: 100)

    /// Time since the machine started: what is measured here must not jump.
    private static var now: Timestamp {
        Timestamp(milliseconds: MachineClock.monotonicMilliseconds)
    }

    /// Returns the time until the next action is due, in milliseconds; `nil` if there is none.
    private static func timeout(_ state: State) -> Int64? {
        var deadline = state.device.deadline
        if state.device.keepaliveChannel != nil {
            deadline = min(deadline ?? state.nextKeepalive, state.nextKeepalive)
        }
        return deadline.map { max(0, ($0 - now).milliseconds) + 1 }
    }

    private func wait(for file: Descriptor) async -> (isReadable: Bool, isGone: Bool) {
        let timeout = state.withLock { Self.timeout($0) }
        let outcome = await arrival.wait(
            for: (file.rawValue, PollEvents.readable.rawValue), milliseconds: timeout)
        guard case .ready(let happened) = outcome else { return (false, false) }
        let events = PollEvents(rawValue: happened)
        return (
            events.contains(.readable), !events.isDisjoint(with: [.hangUp, .error, .invalid])
        )
    }

    /// Performs the due actions; `false` if the peer has disconnected finally.
    private func turn(_ state: inout State, isReadable: Bool, isGone: Bool) -> Bool {
        // The first keep-alive follows an interval after the request, also after a long pause.
        if state.device.keepaliveChannel == nil {
            state.nextKeepalive = Self.now + Self.keepaliveInterval
        }
        let reports = isReadable ? state.port?.read(at: Self.now) : isGone ? nil : []
        guard let reports else { return state.port?.recover() ?? false }
        for packet in reports.compactMap({ CTAPHIDPacket(report: $0) }) {
            perform(state.device.receive(packet, at: Self.now), &state)
        }
        perform(state.device.tick(at: Self.now), &state)
        keepAlive(&state)
        return true
    }

    private func keepAlive(_ state: inout State) {
        guard let channel = state.device.keepaliveChannel, Self.now >= state.nextKeepalive else {
            return
        }
        send(CTAPHIDMessage(channel, keepalive: authenticator.activity.keepalive), state)
        state.nextKeepalive = Self.now + Self.keepaliveInterval
    }

    private func close() {
        state.withLock { state in
            state.port?.closeAll()
            state.port = nil
        }
    }

    // MARK: Actions

    private func perform(_ actions: [CTAPHIDDevice.Action], _ state: inout State) {
        for action in actions {
            switch action {
            case .send(let message): send(message, state)
            case .ask(let message, let transaction): start(message, transaction, &state)
            case .cancel: state.operation?.cancel()
            case .wink: Task { [authenticator] in await authenticator.gesture.wink() }
            case .discardUnread: state.port?.discardUnread()
            }
        }
    }

    private func send(_ message: CTAPHIDMessage, _ state: State) {
        _ = state.port?.write(authenticator.configuration.misbehaviour.reports(of: message))
    }

    private func start(_ message: CTAPHIDMessage, _ transaction: UInt64, _ state: inout State) {
        if authenticator.configuration.misbehaviour.contains(.endlessKeepalive) { return }
        state.operation = Task(executorPreference: authenticator.executor) { [self] in
            let payload =
                message.command == .cbor
                ? await authenticator.respond(to: message.payload)
                : await authenticator.respond(toMessage: message.payload)
            finish(payload, transaction)
        }
    }

    /// On the authenticator's thread.
    private func finish(_ payload: [UInt8], _ transaction: UInt64) {
        let isBusy = state.withLock { state in
            perform(state.device.answered(payload, transaction: transaction), &state)
            return state.device.keepaliveChannel != nil
        }
        // A message that had waited is now in progress and requires keep-alives.
        if isBusy { arrival.wake() }
    }
}
