// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// One program's channel to a key over HID (CTAP 2.2 section 11.2): the client's side.
///
/// Everything is bounded by time: what the key sends on other channels, out of order, or without
/// end, can make an exchange fail, and cannot make it last.
package struct HIDConnection {
    /// In milliseconds.
    package struct Limits: Sendable {
        /// For a channel.
        package var initialization: Int64 = 3000
        /// The limit without a packet for this channel. Keys send keep-alives every 100 ms.
        package var silence: Int64 = 5000
        /// For a key to end what was cancelled.
        package var cancellation: Int64 = 1000
        /// Between attempts while another program has the key.
        package var busy: Int64 = 100

        package init() {}
    }

    private let stream: any ReportStream
    private let clock: any MonotonicClock
    private let random: any RandomSource
    private let limits: Limits
    private var channel = CTAPHIDChannel.broadcast
    /// Whether an earlier exchange may still produce a response, which must not be read as the next
    /// one.
    private var isOutOfStep = false
    package private(set) var capabilities: CTAPHIDCapabilities = []

    /// Asks the key for a channel.
    package init(
        _ stream: any ReportStream, clock: any MonotonicClock, random: any RandomSource,
        limits: Limits = Limits()
    ) async throws(TransportError) {
        self.stream = stream
        self.clock = clock
        self.random = random
        self.limits = limits
        try await initialize()
    }

    // MARK: Channel

    /// Sends `CTAPHID_INIT` (section 11.2.9.1.3): on the broadcast channel to obtain a channel, on
    /// the own channel to reset the key's state.
    private mutating func initialize() async throws(TransportError) {
        let deadline = clock.milliseconds + limits.initialization
        while true {
            let nonce = random.bytes(CTAPHIDInitialization.nonceLength)
            try await send(.initialize, nonce)
            guard let reply = try await awaitInitialization(nonce, deadline) else { continue }
            guard channel != .broadcast || reply.channel != .broadcast,
                reply.channel != .reserved, channel == .broadcast || reply.channel == channel
            else { throw .protocolViolation("a channel that cannot be") }
            channel = reply.channel
            capabilities = reply.capabilities
            isOutOfStep = false
            return
        }
    }

    /// Returns the reply with this client's nonce; `nil` to try again. Replies to other programs
    /// are ignored.
    private func awaitInitialization(
        _ nonce: [UInt8], _ deadline: Int64
    ) async throws(TransportError) -> CTAPHIDInitialization? {
        var assembler = CTAPHIDAssembler()
        while true {
            guard let packet = try await packet(until: deadline) else { throw .timedOut }
            guard case .message(let message) = try? assembler.receive(packet) else { continue }
            if message.command == .initialize,
                let reply = CTAPHIDInitialization(message.payload), reply.nonce == nonce
            {
                return reply
            }
            if message.command == .error {
                let status = CTAPStatus(rawValue: message.payload.first ?? 0x7F)
                guard status == .channelBusy else { throw .channel(status) }
                try await pause(until: min(deadline, clock.milliseconds + limits.busy))
                return nil
            }
        }
    }

    private func pause(until moment: Int64) async throws(TransportError) {
        while clock.milliseconds < moment {
            if case .timedOut = try await stream.read(until: moment) { return }
        }
    }

    private func send(
        _ command: CTAPHIDCommand, _ payload: [UInt8]
    ) async throws(TransportError) {
        guard let message = CTAPHIDMessage(channel, command, payload) else { throw .tooLong }
        try await stream.write(all: message.packets.map(\.report))
    }

    /// Returns the next packet on this channel; `nil` after `deadline`.
    private func packet(
        until deadline: Int64, orWhen isWoken: () -> Bool = { false }
    ) async throws(TransportError) -> CTAPHIDPacket? {
        while clock.milliseconds < deadline {
            switch try await stream.read(until: deadline) {
            case .timedOut: return nil
            case .woken: if isWoken() { return nil }
            case .report(let report):
                guard let packet = CTAPHIDPacket(report: report) else {
                    throw .protocolViolation("a report that has not 64 bytes")
                }
                if packet.channel == channel { return packet }
            }
        }
        return nil
    }

    // MARK: Exchange

    /// Sends a message and waits for the reply to it.
    package mutating func exchange(
        _ command: CTAPHIDCommand, _ payload: [UInt8], limit: Int64,
        cancellation: ExchangeCancellation, keepalive: (CTAPHIDKeepalive) -> Void
    ) async throws(TransportError) -> [UInt8] {
        guard payload.count <= CTAPHIDMessage.greatestLength else { throw .tooLong }
        if cancellation.isRequested { throw .cancelled }
        if isOutOfStep { try await initialize() }
        isOutOfStep = true
        try await send(command, payload)
        let reply = try await awaitReply(command, limit, cancellation, keepalive)
        isOutOfStep = false
        return reply
    }

    private func awaitReply(
        _ command: CTAPHIDCommand, _ limit: Int64, _ cancellation: ExchangeCancellation,
        _ keepalive: (CTAPHIDKeepalive) -> Void
    ) async throws(TransportError) -> [UInt8] {
        var deadline = Self.sum(clock.milliseconds, limit)
        var silence = Self.sum(clock.milliseconds, limits.silence)
        var assembler = CTAPHIDAssembler()
        var latest: CTAPHIDKeepalive?
        var isCancelling = false
        while true {
            if cancellation.isRequested, !isCancelling {
                isCancelling = true
                if command == .cbor { try await send(.cancel, []) }
                deadline = min(deadline, clock.milliseconds + limits.cancellation)
            }
            let next = try await packet(until: min(deadline, silence)) {
                cancellation.isRequested && !isCancelling
            }
            guard let packet = next else {
                if cancellation.isRequested, !isCancelling { continue }
                if isCancelling { throw .cancelled }
                if command == .cbor { try await send(.cancel, []) }
                throw .timedOut
            }
            silence = Self.sum(clock.milliseconds, limits.silence)
            guard let message = try Self.receive(packet, &assembler) else { continue }
            if message.command == command { return message.payload }
            let status = try Self.keepalive(message)
            if status != latest { keepalive(status) }
            latest = status
        }
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    private static func receive(
        _ packet: CTAPHIDPacket, _ assembler: inout CTAPHIDAssembler
    ) throws(TransportError) -> CTAPHIDMessage? {
        do {
            if case .message(let message) = try assembler.receive(packet) { return message }
            return nil
        } catch {
            switch error {
            case .tooLong: throw .protocolViolation("a length beyond any message")
            case .sequence: throw .protocolViolation("packets out of order")
            case .interrupted: throw .protocolViolation("a message inside another")
            }
        }
    }

    /// Processes a message that is not the response: a keep-alive, or an error.
    private static func keepalive(
        _ message: CTAPHIDMessage
    ) throws(TransportError) -> CTAPHIDKeepalive {
        switch message.command {
        case .keepalive:
            // A status that is not known is as good as "at work".
            return message.payload.first.flatMap(CTAPHIDKeepalive.init(rawValue:)) ?? .processing
        case .error:
            let status = CTAPStatus(rawValue: message.payload.first ?? 0x7F)
            throw status == .channelBusy ? .busy : .channel(status)
        default: throw .protocolViolation("a reply to another command")
        }
    }
}
