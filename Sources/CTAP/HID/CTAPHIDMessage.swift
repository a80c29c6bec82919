// SPDX-License-Identifier: Apache-2.0

/// One whole message of CTAPHID, in either direction.
package struct CTAPHIDMessage: Sendable, Equatable {
    /// The most that 1 + 128 packets can carry, in bytes.
    package static let greatestLength = 57 + 128 * 59

    package let channel: CTAPHIDChannel
    package let command: CTAPHIDCommand
    package let payload: [UInt8]

    /// `nil` when the payload is longer than ``greatestLength``.
    package init?(
        _ channel: CTAPHIDChannel, _ command: CTAPHIDCommand, _ payload: some Collection<UInt8>
    ) {
        guard payload.count <= Self.greatestLength else { return nil }
        self.channel = channel
        self.command = command
        self.payload = Array(payload)
    }

    /// An error on a channel (section 11.2.9.1.6).
    package init(_ channel: CTAPHIDChannel, error: CTAPStatus) {
        (self.channel, command, payload) = (channel, .error, [error.rawValue])
    }

    /// A keep-alive on a channel (section 11.2.9.2.3).
    package init(_ channel: CTAPHIDChannel, keepalive: CTAPHIDKeepalive) {
        (self.channel, command, payload) = (channel, .keepalive, [keepalive.rawValue])
    }

    /// The packets that carry the message, in order.
    package var packets: [CTAPHIDPacket] {
        var rest = payload.dropFirst(CTAPHIDPacket.initializationPayload)
        var packets: [CTAPHIDPacket] = [
            .initialization(
                channel, command, length: payload.count,
                payload: payload.prefix(CTAPHIDPacket.initializationPayload))
        ]
        packets.reserveCapacity(2 + rest.count / CTAPHIDPacket.continuationPayload)
        var sequence: UInt8 = 0
        while !rest.isEmpty {
            let part = rest.prefix(CTAPHIDPacket.continuationPayload)
            packets.append(.continuation(channel, sequence: sequence, payload: part))
            rest = rest.dropFirst(part.count)
            sequence &+= 1
        }
        return packets
    }
}
