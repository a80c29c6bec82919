// SPDX-License-Identifier: Apache-2.0

/// Puts the packets of one message together, strictly: in order, from one channel, of the length
/// that was announced. It decides only; reading and time limits belong to its owner.
///
/// A client owns one for each reply that it awaits, a key one for the request that it reads.
package struct CTAPHIDAssembler: Sendable {
    /// The result of a packet.
    package enum Outcome: Sendable, Equatable {
        /// More packets are needed.
        case incomplete
        /// The message is whole; the assembler is empty again.
        case message(CTAPHIDMessage)
        /// A continuation packet without a message, which section 11.2.4 requires to ignore.
        case spurious
        /// The packet is of another channel than the message that is being read.
        case otherChannel(CTAPHIDPacket)
    }

    /// A packet that ends the current message. The assembler is empty afterwards.
    package enum AssemblyError: Error, Sendable, Equatable {
        /// The announced length is more than 7,609 bytes.
        case tooLong
        /// A sequence number is missing, repeated or out of order.
        case sequence
        /// A message began inside another one of the same channel; the packet that began it.
        case interrupted(CTAPHIDPacket)
    }

    private struct Partial: Sendable {
        let channel: CTAPHIDChannel
        let command: CTAPHIDCommand
        let length: Int
        var payload: [UInt8]
        var nextSequence: UInt8 = 0

        mutating func add(_ part: ArraySlice<UInt8>) {
            payload += part.prefix(length - payload.count)
            // 127 is the last; the announced length permits no other.
            nextSequence += 1
        }
    }

    private var partial: Partial?

    package init() {}

    /// The channel whose message is being read.
    package var channel: CTAPHIDChannel? { partial?.channel }

    /// Forgets what was read, as after a time limit.
    package mutating func clear() { partial = nil }

    package mutating func receive(_ packet: CTAPHIDPacket) throws(AssemblyError) -> Outcome {
        if let partial, partial.channel != packet.channel { return .otherChannel(packet) }
        switch packet {
        case .initialization(let channel, let command, let length, let payload):
            return try begin(packet, channel, command, length, payload)
        case .continuation(_, let sequence, let payload):
            return try add(payload, sequence)
        }
    }

    private mutating func begin(
        _ packet: CTAPHIDPacket, _ channel: CTAPHIDChannel, _ command: CTAPHIDCommand,
        _ length: Int, _ payload: ArraySlice<UInt8>
    ) throws(AssemblyError) -> Outcome {
        guard partial == nil else {
            partial = nil
            throw .interrupted(packet)
        }
        guard length <= CTAPHIDMessage.greatestLength else { throw .tooLong }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        bytes += payload.prefix(length)
        partial = Partial(channel: channel, command: command, length: length, payload: bytes)
        return finished()
    }

    private mutating func add(
        _ payload: ArraySlice<UInt8>, _ sequence: UInt8
    ) throws(AssemblyError) -> Outcome {
        guard let expected = partial?.nextSequence else { return .spurious }
        guard sequence == expected else {
            partial = nil
            throw .sequence
        }
        partial?.add(payload)
        return finished()
    }

    private mutating func finished() -> Outcome {
        guard let message = partial, message.payload.count == message.length,
            let whole = CTAPHIDMessage(message.channel, message.command, message.payload)
        else { return .incomplete }
        partial = nil
        return .message(whole)
    }
}
