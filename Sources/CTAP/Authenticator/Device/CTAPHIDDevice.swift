// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The key's side of CTAPHID (CTAP 2.1 section 11.2): channels, locks, one transaction at a time.
///
/// It performs no I/O. Its owner reads packets, calls the authenticator, measures the time, and
/// performs the actions in order.
package struct CTAPHIDDevice: Sendable {
    package enum Action: Sendable, Equatable {
        case send(CTAPHIDMessage)
        /// A message for the authenticator. Its response returns with this number.
        case ask(CTAPHIDMessage, transaction: UInt64)
        /// Cancel the authenticator's current operation.
        case cancel
        case wink
        /// Discard the reports that were written and not yet read.
        case discardUnread
    }

    /// The maximum time between two packets of a message.
    package static let packetTimeout = TimeSpan(milliseconds: 500)
    /// The maximum number of open channels; a new one replaces the oldest.
    package static let maximumChannels = 64

    private struct Transaction: Sendable {
        let channel: CTAPHIDChannel
        let command: CTAPHIDCommand
        let number: UInt64
        /// Whether an INIT abandoned the transaction. Its response is then discarded.
        var isAbandoned = false
    }

    private struct Lock: Sendable {
        let channel: CTAPHIDChannel
        let end: Timestamp
    }

    private let random: any RandomSource
    private let capabilities: CTAPHIDCapabilities
    private var channels: [CTAPHIDChannel] = []
    private var assembler = CTAPHIDAssembler()
    private var packetDeadline: Timestamp?
    private var transaction: Transaction?
    private var nextNumber: UInt64 = 0
    /// The message that waits for the end of an abandoned transaction.
    private var waiting: CTAPHIDMessage?
    private var lock: Lock?

    package init(capabilities: CTAPHIDCapabilities, random: any RandomSource) {
        self.capabilities = capabilities
        self.random = random
    }

    // MARK: Time

    /// The time of the next call of ``tick(at:)`` if no packet arrives before.
    package var deadline: Timestamp? { packetDeadline }

    /// The channel that requires keep-alives; `nil` if no CTAP2 request is in progress.
    package var keepaliveChannel: CTAPHIDChannel? {
        guard let transaction, !transaction.isAbandoned, transaction.command == .cbor else {
            return nil
        }
        return transaction.channel
    }

    package mutating func tick(at now: Timestamp) -> [Action] {
        guard let packetDeadline, now >= packetDeadline, let channel = assembler.channel else {
            return []
        }
        assembler.clear()
        self.packetDeadline = nil
        return [.send(CTAPHIDMessage(channel, error: .timeout))]
    }

    // MARK: Packets

    package mutating func receive(_ packet: CTAPHIDPacket, at now: Timestamp) -> [Action] {
        if let lock, now >= lock.end { self.lock = nil }
        if let refusal = refusal(of: packet) { return refusal }
        let outcome: CTAPHIDAssembler.Outcome
        do throws(CTAPHIDAssembler.AssemblyError) { outcome = try assembler.receive(packet) } catch
        {
            packetDeadline = nil
            return respond(to: error, on: packet.channel, at: now)
        }
        packetDeadline = assembler.channel == nil ? nil : now + Self.packetTimeout
        guard case .message(let message) = outcome else { return [] }
        return carryOut(message, at: now)
    }

    /// Returns the refusal of a packet before it is assembled; an empty list ignores the packet,
    /// `nil` accepts it.
    private func refusal(of packet: CTAPHIDPacket) -> [Action]? {
        guard case .initialization(let channel, let command, _, _) = packet else {
            // Continuations of nothing are ignored by the assembler; of others, here.
            let isMine = assembler.channel == nil || assembler.channel == packet.channel
            return isMine ? nil : []
        }
        guard isOpen(channel, for: command) else {
            return [.send(CTAPHIDMessage(channel, error: .invalidChannel))]
        }
        if command == .initialize { return nil }
        let reads = assembler.channel
        let others = [reads, transaction?.isAbandoned == false ? transaction?.channel : nil]
            .compactMap { $0 }
        if command == .cancel, reads != channel { return nil }
        if others.contains(where: { $0 != channel })
            || (lock.map { $0.channel != channel } ?? false)
            || (transaction?.isAbandoned == false && reads == nil)
        {
            return [.send(CTAPHIDMessage(channel, error: .channelBusy))]
        }
        return nil
    }

    private func isOpen(_ channel: CTAPHIDChannel, for command: CTAPHIDCommand) -> Bool {
        switch channel {
        case .reserved: false
        case .broadcast: command == .initialize
        default: channels.contains(channel)
        }
    }

    private mutating func respond(
        to error: CTAPHIDAssembler.AssemblyError, on channel: CTAPHIDChannel, at now: Timestamp
    ) -> [Action] {
        switch error {
        case .tooLong: return [.send(CTAPHIDMessage(channel, error: .invalidLength))]
        case .sequence: return [.send(CTAPHIDMessage(channel, error: .invalidSequence))]
        case .interrupted(let packet):
            // INIT during a message restarts the channel (section 11.2.5.3).
            if case .initialization(_, .initialize, _, _) = packet {
                return receive(packet, at: now)
            }
            return [.send(CTAPHIDMessage(channel, error: .invalidSequence))]
        }
    }

    // MARK: Messages

    private mutating func carryOut(_ message: CTAPHIDMessage, at now: Timestamp) -> [Action] {
        switch message.command {
        case .initialize: return initialize(message)
        case .ping: return [.send(message)]
        case .cancel:
            return transaction?.channel == message.channel && transaction?.isAbandoned == false
                ? [.cancel] : []
        case .wink where capabilities.contains(.wink):
            guard message.payload.isEmpty else { return [refuse(message, .invalidLength)] }
            return [.wink, .send(message)]
        case .lock: return lock(message, at: now)
        case .cbor where message.payload.isEmpty: return [refuse(message, .invalidLength)]
        case .cbor where capabilities.contains(.cbor): return ask(message)
        case .message where !capabilities.contains(.noMessages): return ask(message)
        default: return [refuse(message, .invalidCommand)]
        }
    }

    private func refuse(_ message: CTAPHIDMessage, _ status: CTAPStatus) -> Action {
        .send(CTAPHIDMessage(message.channel, error: status))
    }

    private mutating func ask(_ message: CTAPHIDMessage) -> [Action] {
        guard transaction == nil else {
            waiting = message
            return []
        }
        nextNumber += 1
        transaction = Transaction(
            channel: message.channel, command: message.command, number: nextNumber)
        return [.ask(message, transaction: nextNumber)]
    }

    private mutating func lock(_ message: CTAPHIDMessage, at now: Timestamp) -> [Action] {
        guard message.payload.count == 1, let seconds = message.payload.first else {
            return [refuse(message, .invalidLength)]
        }
        guard seconds <= 10 else { return [refuse(message, .invalidParameter)] }
        let end = now + .seconds(Int64(seconds))
        lock = seconds == 0 ? nil : Lock(channel: message.channel, end: end)
        return CTAPHIDMessage(message.channel, .lock, []).map { [.send($0)] } ?? []
    }

    /// Opens a channel, or restarts an open one.
    private mutating func initialize(_ message: CTAPHIDMessage) -> [Action] {
        guard message.payload.count == CTAPHIDInitialization.nonceLength else {
            return [refuse(message, .invalidLength)]
        }
        var actions: [Action] = []
        var channel = message.channel
        if channel == .broadcast {
            channel = open()
            if transaction == nil { actions.append(.discardUnread) }
        } else if transaction?.channel == channel, transaction?.isAbandoned == false {
            transaction?.isAbandoned = true
            actions.append(.cancel)
        }
        let reply = CTAPHIDInitialization(
            nonce: message.payload, channel: channel, deviceVersion: [1, 0, 0],
            capabilities: capabilities)
        if let reply = CTAPHIDMessage(message.channel, .initialize, reply.payload) {
            actions.append(.send(reply))
        }
        return actions
    }

    private mutating func open() -> CTAPHIDChannel {
        if channels.count >= Self.maximumChannels { channels.removeFirst() }
        // Random, so that a program cannot guess the channel of another.
        var channel = CTAPHIDChannel.reserved
        while channel == .reserved || channel == .broadcast || channels.contains(channel) {
            let number = random.bytes(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            channel = CTAPHIDChannel(rawValue: number)
        }
        channels.append(channel)
        return channel
    }

    // MARK: Answers

    /// The authenticator's answer to a transaction.
    package mutating func answered(_ payload: [UInt8], transaction number: UInt64) -> [Action] {
        guard let ended = transaction, ended.number == number else { return [] }
        transaction = nil
        var actions: [Action] = []
        if !ended.isAbandoned {
            let reply = CTAPHIDMessage(ended.channel, ended.command, payload)
            actions.append(.send(reply ?? CTAPHIDMessage(ended.channel, error: .other)))
        }
        if let next = waiting {
            waiting = nil
            actions += ask(next)
        }
        return actions
    }
}
