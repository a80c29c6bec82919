// SPDX-License-Identifier: Apache-2.0

/// The faults in frames.
extension Set<FaultInjection> {
    /// The reports that carry a message, as a broken key sends them.
    package func reports(of message: CTAPHIDMessage) -> [[UInt8]] {
        let packets = message.packets
        guard !isEmpty else { return packets.map(\.report) }
        if message.command == .initialize {
            guard contains(.wrongNonce) else { return packets.map(\.report) }
            return packets.map { packet in
                var report = packet.report
                report[7] ^= 1
                return report
            }
        }
        if contains(.silence) { return [] }
        if contains(.endlessKeepalive), message.command != .keepalive { return [] }
        return corrupted(message, packets).map(\.report)
    }

    private func corrupted(_ message: CTAPHIDMessage, _ packets: [CTAPHIDPacket]) -> [CTAPHIDPacket]
    {
        let other = CTAPHIDChannel(rawValue: message.channel.rawValue ^ 0x0101_0101)
        var packets = packets
        if contains(.wrongChannel),
            let moved = CTAPHIDMessage(other, message.command, message.payload)
        {
            packets = moved.packets
        }
        if contains(.wrongCommand),
            let changed = CTAPHIDMessage(message.channel, .ping, message.payload)
        {
            packets = changed.packets
        }
        if contains(.excessiveLength) {
            packets[0] = .initialization(
                message.channel, message.command, length: 0xFFFF,
                payload: message.payload.prefix(57))
        }
        if contains(.unfinishedAnswer) {
            packets = [
                .initialization(
                    message.channel, message.command, length: message.payload.count + 58,
                    payload: message.payload.prefix(57))
            ]
        }
        guard packets.count > 1 else { return packets }
        if contains(.sequenceGap) { packets.remove(at: 1) }
        if contains(.repeatedPacket) { packets.insert(packets[1], at: 1) }
        if contains(.interleavedChannels) {
            packets.insert(
                .initialization(other, message.command, length: 1, payload: [0]), at: 1)
        }
        return packets
    }
}
