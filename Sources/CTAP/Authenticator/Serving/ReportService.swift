// SPDX-License-Identifier: Apache-2.0
import Primitives
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Serves one software key over one ``ReportPort``, on a thread of its own, until it is stopped or
/// the other side goes.
final class ReportService: KeyService {
    private struct Answer {
        let payload: [UInt8]
        let transaction: UInt64
    }

    private struct State {
        var answers: [Answer] = []
        var operation: Task<Void, Never>?
        var isStopping = false
    }

    private let authenticator: SoftwareAuthenticator
    private let random: any RandomSource
    private let state = Mutex(State())
    private let alarm: WakePipe
    private let end = ServiceEnd()

    init(
        _ authenticator: SoftwareAuthenticator, random: any RandomSource
    ) throws(ServingError) {
        self.authenticator = authenticator
        self.random = random
        alarm = try WakePipe()
    }

    /// Starts the thread, which owns the port from now on. When there is none the port is closed.
    func start(_ port: ReportPort) throws(ServingError) {
        do { try BackgroundThread.start(niceness: 0) { [self] in run(port) } } catch {
            port.closeAll()
            throw .system(call: "pthread_create", code: error.code)
        }
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        alarm.wake()
    }

    func ended() async { await end.reached() }

    // MARK: The thread

    private func run(_ port: ReportPort) {
        var port = port
        var device = CTAPHIDDevice(capabilities: capabilities, random: random)
        var nextKeepalive = Self.now + Self.keepaliveInterval
        while !state.withLock({ $0.isStopping }) {
            let (isReadable, isGone) = wait(for: port, device, nextKeepalive)
            // The first keep-alive comes an interval after the request, however long it was quiet.
            if device.keepaliveChannel == nil {
                nextKeepalive = Self.now + Self.keepaliveInterval
            }
            let reports = isReadable ? port.read(at: Self.now) : isGone ? nil : []
            guard let reports else {
                if port.recover() { continue }
                break
            }
            for packet in reports.compactMap({ CTAPHIDPacket(report: $0) }) {
                perform(device.receive(packet, at: Self.now), port)
            }
            perform(device.tick(at: Self.now), port)
            for answer in takeAnswers() {
                perform(device.answered(answer.payload, transaction: answer.transaction), port)
            }
            nextKeepalive = keepAlive(device, nextKeepalive, port)
        }
        finish(port)
    }

    private static let keepaliveInterval = TimeSpan(milliseconds: 100)

    private var capabilities: CTAPHIDCapabilities {
        authenticator.configuration.speaksU2F ? [.wink, .cbor] : [.wink, .cbor, .noMessages]
    }

    /// Time since the machine started: what is measured here must not jump.
    private static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Sleeps until something happens: for ever when nothing is due.
    private func wait(
        for port: ReportPort, _ device: CTAPHIDDevice, _ nextKeepalive: Timestamp
    ) -> (isReadable: Bool, isGone: Bool) {
        var deadline = device.deadline
        if device.keepaliveChannel != nil {
            deadline = min(deadline ?? nextKeepalive, nextKeepalive)
        }
        let patience = deadline.map {
            Int32(clamping: max(0, ($0 - Self.now).milliseconds) + 1)
        }
        var files = [
            pollfd(fd: port.file, events: Int16(POLLIN), revents: 0),
            pollfd(fd: alarm.reader, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&files, 2, patience ?? -1)
        if files[1].revents != 0 { alarm.drain() }
        let events = Int32(files[0].revents)
        return (events & POLLIN != 0, events & (POLLHUP | POLLERR | POLLNVAL) != 0)
    }

    private func takeAnswers() -> [Answer] {
        state.withLock { state in
            defer { state.answers = [] }
            return state.answers
        }
    }

    private func keepAlive(
        _ device: CTAPHIDDevice, _ due: Timestamp, _ port: ReportPort
    ) -> Timestamp {
        guard let channel = device.keepaliveChannel else {
            return Self.now + Self.keepaliveInterval
        }
        guard Self.now >= due else { return due }
        send(CTAPHIDMessage(channel, keepalive: authenticator.activity.keepalive), port)
        return Self.now + Self.keepaliveInterval
    }

    // MARK: Actions

    private func perform(_ actions: [CTAPHIDDevice.Action], _ port: ReportPort) {
        for action in actions {
            switch action {
            case .send(let message): send(message, port)
            case .ask(let message, let transaction): ask(message, transaction)
            case .cancel: state.withLock { $0.operation }?.cancel()
            case .wink: Task { [authenticator] in await authenticator.gesture.wink() }
            case .forgetUnread: port.forgetUnread()
            }
        }
    }

    private func send(_ message: CTAPHIDMessage, _ port: ReportPort) {
        _ = port.write(authenticator.configuration.misbehaviour.reports(of: message))
    }

    private func ask(_ message: CTAPHIDMessage, _ transaction: UInt64) {
        if authenticator.configuration.misbehaviour.contains(.endlessKeepalive) { return }
        let operation = Task(executorPreference: authenticator.executor) { [self] in
            let payload =
                message.command == .cbor
                ? await authenticator.respond(to: message.payload)
                : await authenticator.respond(toMessage: message.payload)
            state.withLock {
                $0.answers.append(Answer(payload: payload, transaction: transaction))
            }
            alarm.wake()
        }
        state.withLock { $0.operation = operation }
    }

    private func finish(_ port: ReportPort) {
        port.closeAll()
        state.withLock { $0.operation }?.cancel()
        end.reach()
    }
}
