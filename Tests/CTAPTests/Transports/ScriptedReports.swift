// SPDX-License-Identifier: Apache-2.0
import CTAP
import Synchronization

/// A key made of recorded reports. Each read takes a millisecond; a read of nothing waits until
/// its deadline.
final class ScriptedReports: ReportStream {
    enum Step: Sendable {
        case report([UInt8])
        /// No event for this time, in milliseconds.
        case nothing(Int64)
        case fail(TransportError)
        /// Runs the body on another thread, then wakes the wait.
        case wake(@Sendable () -> Void)
    }

    struct State: Sendable {
        var steps: [Step] = []
        var sent: [CTAPHIDMessage] = []
        var isClosed = false
    }

    static let channel = CTAPHIDChannel(rawValue: 0x0102_0304)

    let clock = SteppingClock()
    private let state = Mutex(State())
    private let assembler = Mutex(CTAPHIDAssembler())
    private let answer: @Sendable (CTAPHIDMessage) -> [Step]

    /// - Parameter answer: What the key does after a whole message has come.
    init(answer: @escaping @Sendable (CTAPHIDMessage) -> [Step]) { self.answer = answer }

    /// A key that gives out a channel properly, and then does as it is told.
    static func initialized(
        then answer: @escaping @Sendable (CTAPHIDMessage) -> [Step]
    ) -> ScriptedReports {
        ScriptedReports { message in
            message.command == .initialize ? [.initialization(message)] : answer(message)
        }
    }

    var log: State { state.withLock { $0 } }
    var commands: [CTAPHIDCommand] { log.sent.map(\.command) }

    func write(_ report: [UInt8]) throws(TransportError) {
        guard let packet = CTAPHIDPacket(report: report) else { throw .tooLong }
        let outcome = try? assembler.withLock { try $0.receive(packet) }
        guard case .message(let message) = outcome else { return }
        let steps = answer(message)
        state.withLock { state in
            state.sent.append(message)
            state.steps += steps
        }
    }

    func read(until deadline: Int64) throws(TransportError) -> ReportEvent {
        clock.advance(by: 1)
        let step = state.withLock { $0.steps.isEmpty ? nil : $0.steps.removeFirst() }
        switch step {
        case nil:
            clock.advance(to: deadline)
            return .timedOut
        case .report(let report): return .report(report)
        case .fail(let error): throw error
        case .wake(let body):
            body()
            return .woken
        case .nothing(let span):
            guard clock.milliseconds + span >= deadline else {
                clock.advance(by: span)
                return .woken
            }
            clock.advance(to: deadline)
            return .timedOut
        }
    }

    func wake() {}
    func close() { state.withLock { $0.isClosed = true } }
}

extension ScriptedReports.Step {
    /// The proper reply to an INIT.
    static func initialization(
        _ message: CTAPHIDMessage, channel: CTAPHIDChannel = ScriptedReports.channel,
        nonce: [UInt8]? = nil
    ) -> Self {
        let reply = CTAPHIDInitialization(
            nonce: nonce ?? message.payload, channel: channel, deviceVersion: [1, 2, 3],
            capabilities: [.cbor])
        return .report(
            CTAPHIDPacket.initialization(
                message.channel, .initialize, length: 17, payload: reply.payload[...]
            ).report)
    }

    /// All packets of a message.
    static func message(
        _ command: CTAPHIDCommand, _ payload: [UInt8],
        channel: CTAPHIDChannel = ScriptedReports.channel
    ) -> [Self] {
        (CTAPHIDMessage(channel, command, payload)?.packets ?? []).map { .report($0.report) }
    }
}

extension [ScriptedReports.Step] {
    static func message(
        _ command: CTAPHIDCommand, _ payload: [UInt8],
        channel: CTAPHIDChannel = ScriptedReports.channel
    ) -> Self { Element.message(command, payload, channel: channel) }
}
