// SPDX-License-Identifier: Apache-2.0
import CTAP
import Dispatch
import Primitives
import Synchronization

extension FuzzTarget {
    /// A parsed request is encoded as the same bytes, except for unknown members.
    static let ctapRequest = FuzzTarget(name: "ctap-request") { bytes in
        guard let request = try? CTAPRequest(frame: bytes) else { return }
        let frame = request.frame()
        precondition(frame.count <= bytes.count, "a request grew")
        let again = try? CTAPRequest(frame: frame)
        precondition(again?.frame() == frame, "a request does not survive")
    }

    /// Replies of every command, from the bytes of a key. The test compares encodings, because
    /// values that are not validated may contain NaN, which is not equal to itself.
    static let ctapReply = FuzzTarget(name: "ctap-reply") { bytes in
        if let reply = try? MakeCredentialResponse(cbor: bytes) {
            precondition(
                (try? MakeCredentialResponse(cbor: reply.encode()))?.encode() == reply.encode())
            precondition(!reply.attestationObject.isEmpty)
        }
        if let reply = try? GetAssertionResponse(cbor: bytes) {
            precondition(
                (try? GetAssertionResponse(cbor: reply.encode()))?.encode() == reply.encode())
        }
        if let reply = try? AuthenticatorInfo(cbor: bytes) {
            precondition(
                (try? AuthenticatorInfo(cbor: reply.encode()))?.encode() == reply.encode())
        }
        if let reply = try? ClientPINResponse(cbor: bytes) {
            precondition(
                (try? ClientPINResponse(cbor: reply.encode()))?.encode() == reply.encode())
        }
        if let reply = try? CredentialManagementResponse(cbor: bytes) {
            precondition(
                (try? CredentialManagementResponse(cbor: reply.encode()))?.encode()
                    == reply.encode())
        }
        if let reply = try? BioEnrollmentResponse(cbor: bytes) {
            precondition(
                (try? BioEnrollmentResponse(cbor: reply.encode()))?.encode() == reply.encode())
        }
        if let array = LargeBlobArray(serialized: bytes) {
            precondition(
                LargeBlobArray(serialized: array.serialized)?.serialized == array.serialized)
        }
    }

    /// Both sides of a smart card: commands, responses, chains, U2F.
    static let apdu = FuzzTarget(name: "apdu") { bytes in
        if let command = CommandAPDU(bytes) {
            if let extended = command.extended { precondition(CommandAPDU(extended) == command) }
            var assembler = CommandChainAssembler(limit: 1 << 17)
            var whole = command
            whole.cla &= ~CommandChain.moreFollows
            for part in CommandChain.split(whole) {
                guard case .command(let read)? = try? assembler.receive(part) else { continue }
                precondition(read.data == whole.data, "a chain lost data")
            }
            if let request = try? U2FRequest(command) {
                precondition((try? U2FRequest(request.apdu)) == request)
            }
        }
        readerBeforeCard(bytes)
        if let response = ResponseAPDU(bytes) { precondition(response.bytes == bytes) }
        if let registration = U2FRegistration(bytes) { precondition(registration.bytes == bytes) }
        if let assertion = U2FAssertion(bytes) { precondition(assertion.bytes == bytes) }
    }

    /// A reader that sends these commands, each behind a byte with its length: the card answers
    /// all of them.
    private static func readerBeforeCard(_ bytes: [UInt8]) {
        var applet = NFCApplet(speaksU2F: true)
        var rest = bytes[...]
        while let length = rest.popFirst() {
            let action = applet.receive(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
            guard case .ask(let message, let mayWait) = action else { continue }
            if mayWait { _ = applet.working(.processing) }
            let reply = applet.answered([UInt8](repeating: 0, count: 700), to: message)
            precondition(reply.bytes.count >= 2, "a card without an answer")
        }
    }

    /// A client before a key that sends these reports: whatever they are, it ends in time.
    static let ctapHID = FuzzTarget(name: "ctap-hid") { bytes in
        let stream = RecordedReports(bytes)
        let isOver = DispatchSemaphore(value: 0)
        Task {
            await exchange(over: stream)
            isOver.signal()
        }
        isOver.wait()
        precondition(stream.milliseconds < 300_000, "a key made the client wait")
    }

    private static func exchange(over stream: RecordedReports) async {
        guard
            var connection = try? await HIDConnection(
                stream, clock: stream, random: stream, limits: HIDConnection.Limits())
        else { return }
        for _ in 0..<4 {
            let reply = try? await connection.exchange(
                .cbor, [4], limit: 30_000, cancellation: ExchangeCancellation {}
            ) { _ in }
            precondition((reply?.count ?? 0) <= CTAPHIDMessage.greatestLength)
        }
    }
}

/// Reports from bytes, one after the other; a clock that each read moves.
private final class RecordedReports: ReportStream, MonotonicClock, RandomSource {
    private let rest: Mutex<ArraySlice<UInt8>>
    private let time = Mutex<Int64>(0)

    init(_ bytes: [UInt8]) { rest = Mutex(bytes[...]) }

    var milliseconds: Int64 { time.withLock { $0 } }
    func rest(milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    /// So that an input can hold the nonce.
    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x4E, count: count) }

    func write(_ report: [UInt8]) throws(TransportError) {
        guard report.count == 64 else { throw .tooLong }
    }

    func read(until deadline: Int64) throws(TransportError) -> ReportEvent {
        let report = rest.withLock { rest in
            defer { rest = rest.dropFirst(64) }
            return Array(rest.prefix(64))
        }
        guard !report.isEmpty else {
            time.withLock { $0 = max($0, deadline) }
            return .timedOut
        }
        time.withLock { $0 += 1 }
        return .report(report)
    }

    func wake() {}
    func close() {}
}
