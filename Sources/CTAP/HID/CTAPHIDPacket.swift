// SPDX-License-Identifier: Apache-2.0

/// One HID report of CTAPHID (CTAP 2.1 section 11.2.4).
package enum CTAPHIDPacket: Sendable, Equatable {
    /// The first packet of a message: its whole length in bytes, and its first 57 bytes.
    case initialization(
        CTAPHIDChannel, CTAPHIDCommand, length: Int, payload: ArraySlice<UInt8>)
    /// A later packet: its number from 0 to 127, and 59 bytes.
    case continuation(CTAPHIDChannel, sequence: UInt8, payload: ArraySlice<UInt8>)

    /// Length of a report in bytes, without the report number that hidraw writes in front.
    package static let reportLength = 64
    static let initializationPayload = 57
    static let continuationPayload = 59

    /// Reads one report; `nil` when it has not exactly 64 bytes.
    package init?(report: some Collection<UInt8>) {
        guard report.count == Self.reportLength else { return nil }
        let bytes = ArraySlice(report)
        let number = bytes.prefix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let channel = CTAPHIDChannel(rawValue: number)
        let head = bytes[bytes.startIndex + 4]
        guard head & 0x80 != 0 else {
            self = .continuation(channel, sequence: head, payload: bytes.dropFirst(5))
            return
        }
        let length = bytes.dropFirst(5).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        self = .initialization(
            channel, CTAPHIDCommand(rawValue: head), length: length, payload: bytes.dropFirst(7))
    }

    package var channel: CTAPHIDChannel {
        switch self {
        case .initialization(let channel, _, _, _), .continuation(let channel, _, _): channel
        }
    }

    /// The 64 bytes of the report, zeros behind a short payload.
    package var report: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.reportLength)
        for shift in stride(from: 24, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: channel.rawValue >> UInt32(shift)))
        }
        switch self {
        case .initialization(_, let command, let length, let payload):
            bytes.append(command.rawValue | 0x80)
            bytes.append(UInt8(truncatingIfNeeded: length >> 8))
            bytes.append(UInt8(truncatingIfNeeded: length))
            bytes.append(contentsOf: payload.prefix(Self.initializationPayload))
        case .continuation(_, let sequence, let payload):
            bytes.append(sequence & 0x7F)
            bytes.append(contentsOf: payload.prefix(Self.continuationPayload))
        }
        bytes.append(contentsOf: repeatElement(0, count: Self.reportLength - bytes.count))
        return bytes
    }
}
