// SPDX-License-Identifier: Apache-2.0

/// A FIDO applet on a smart card (CTAP 2.2 section 11.3): the client's side.
package struct NFCConnection {
    /// A0000006472F0001.
    package static let applicationId: [UInt8] = [0xA0, 0x00, 0x00, 0x06, 0x47, 0x2F, 0x00, 0x01]

    /// The longest response that is put together, in bytes.
    private static let greatestResponse = 1 << 16
    /// Between two questions whether a card has finished, in milliseconds.
    private static let pause: Int64 = 100
    /// The time limit for one APDU, in milliseconds. Cards that wait for a touch respond within two
    /// seconds, or at their timeout of 30 s.
    private static let timeout: Int64 = 35_000

    private let channel: any CardChannel
    private let clock: any MonotonicClock
    package private(set) var speaksCTAP2 = false
    package private(set) var speaksU2F = false

    /// Selects the applet.
    package init(
        _ channel: any CardChannel, clock: any MonotonicClock
    ) throws(TransportError) {
        self.channel = channel
        self.clock = clock
        let select = CommandAPDU(
            cla: 0x00, ins: 0xA4, p1: 0x04, data: Self.applicationId, expected: 256)
        let response = try transmit(select, until: clock.milliseconds + 3000)
        guard response.status == .ok else {
            throw .protocolViolation("no FIDO applet, status word \(response.status)")
        }
        // "U2F_V2" means that the card supports U2F, and the reply to getInfo shows whether it
        // supports more (section 11.3.3); cards with "FIDO_2_0" support CTAP2 only.
        speaksU2F = response.data == Array("U2F_V2".utf8)
        speaksCTAP2 = true
    }

    // MARK: Exchange

    package func exchange(
        _ message: AuthenticatorMessage, limit: Int64, cancellation: ExchangeCancellation,
        keepalive: (CTAPHIDKeepalive) -> Void
    ) throws(TransportError) -> [UInt8] {
        let (deadline, overflow) = clock.milliseconds.addingReportingOverflow(limit)
        if cancellation.isRequested { throw .cancelled }
        switch message {
        case .ctap2(let bytes):
            return try ctap2(bytes, overflow ? .max : deadline, cancellation, keepalive)
        case .u2f(let bytes):
            guard let command = CommandAPDU(bytes) else { throw .tooLong }
            return try transmit(command, until: overflow ? .max : deadline).bytes
        }
    }

    /// `NFCCTAP_MSG`, and `NFCCTAP_GETRESPONSE` while the card is at work (section 11.3.7).
    private func ctap2(
        _ bytes: [UInt8], _ deadline: Int64, _ cancellation: ExchangeCancellation,
        _ keepalive: (CTAPHIDKeepalive) -> Void
    ) throws(TransportError) -> [UInt8] {
        guard bytes.count <= CTAPHIDMessage.greatestLength else { throw .tooLong }
        // P1 80: this client supports NFCCTAP_GETRESPONSE.
        let command = CommandAPDU(cla: 0x80, ins: 0x10, p1: 0x80, data: bytes, expected: 256)
        var response = try transmit(command, until: deadline)
        var latest: CTAPHIDKeepalive?
        var isCancelling = false
        while response.status == .keepalive {
            guard clock.milliseconds < deadline else { throw .timedOut }
            let status = response.data.first.flatMap(CTAPHIDKeepalive.init(rawValue:))
            if let status, status != latest { keepalive(status) }
            latest = status
            clock.rest(milliseconds: Self.pause)
            guard !isCancelling else { throw .cancelled }
            isCancelling = cancellation.isRequested
            response = try transmit(
                CommandAPDU(cla: 0x80, ins: 0x11, p1: isCancelling ? 0x11 : 0, expected: 256),
                until: deadline)
        }
        switch response.status {
        case .ok: return response.data
        // A card that has U2F only.
        case .instructionNotSupported, .classNotSupported: throw .channel(.invalidCommand)
        default: throw .protocolViolation("status word \(response.status)")
        }
    }

    /// Sends one command in as many APDUs as it requires, and returns the whole response.
    private func transmit(
        _ command: CommandAPDU, until deadline: Int64
    ) throws(TransportError) -> ResponseAPDU {
        let parts = CommandChain.split(command)
        for part in parts.dropLast() {
            let response = try transmitOne(part, until: deadline)
            guard response.status == .ok, response.data.isEmpty else {
                throw .protocolViolation("status word \(response.status) inside a chain")
            }
        }
        var response = try transmitOne(parts[parts.count - 1], until: deadline)
        if let expected = response.status.exactExpected {
            var again = parts[parts.count - 1]
            again.expected = expected
            response = try transmitOne(again, until: deadline)
        }
        return try collect(response, until: deadline)
    }

    /// Fetches the remaining response with `GET RESPONSE` (status 61xx). An empty portion is an
    /// error, so that a card cannot continue without end.
    private func collect(
        _ first: ResponseAPDU, until deadline: Int64
    ) throws(TransportError) -> ResponseAPDU {
        var (whole, status) = (first.data, first.status)
        while let remaining = status.remaining {
            let next = try transmitOne(
                CommandAPDU(cla: 0x00, ins: 0xC0, expected: remaining), until: deadline)
            guard !next.data.isEmpty || next.status.remaining == nil else {
                throw .protocolViolation("more to come, again and again")
            }
            whole += next.data
            status = next.status
            guard whole.count <= Self.greatestResponse else {
                throw .protocolViolation("a response beyond any message")
            }
        }
        return ResponseAPDU(data: whole, status: status)
    }

    private func transmitOne(
        _ command: CommandAPDU, until deadline: Int64
    ) throws(TransportError) -> ResponseAPDU {
        let now = clock.milliseconds
        guard now < deadline else { throw .timedOut }
        guard let bytes = command.short else { throw .tooLong }
        let limit = min(deadline - now, Self.timeout)
        guard let response = ResponseAPDU(try channel.transmit(bytes, within: limit)) else {
            throw .protocolViolation("a response without a status word")
        }
        return response
    }
}
