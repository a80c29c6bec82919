// SPDX-License-Identifier: Apache-2.0
import CPCSC
import Synchronization

/// A card on a reader of PC/SC.
///
/// PC/SC has no time limit for a command, and cannot interrupt one. Calls run on an
/// ``AbandonableThread``, so that a reader that does not respond does not block the caller.
final class PCSCCard: CardChannel {
    /// The time limit for connecting, in milliseconds.
    private static let timeout: Int64 = 10_000

    /// The card's handles, which only the thread uses.
    private final class Link: Sendable {
        struct Handles: Sendable {
            let context: SCARDCONTEXT
            let card: PCSC.Handle
            let usesT1: Bool
        }

        private let handles = Mutex<Handles?>(nil)

        /// Connects with exclusive access to the card.
        func connect(_ reader: String) -> TransportError? {
            guard let context = PCSC.context() else { return .removed }
            var card = PCSC.Handle()
            var active: PCSC.Word = 0
            let code = SCardConnect(
                context, reader, PCSC.Word(SCARD_SHARE_EXCLUSIVE),
                PCSC.Word(SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1), &card, &active)
            guard code == 0 else {
                SCardReleaseContext(context)
                return PCSC.failure(code)
            }
            handles.withLock {
                $0 = Handles(
                    context: context, card: card,
                    usesT1: active == PCSC.Word(SCARD_PROTOCOL_T1))
            }
            return nil
        }

        func transmit(_ command: [UInt8]) -> Result<[UInt8], TransportError> {
            guard let handles = handles.withLock({ $0 }) else { return .failure(.closed) }
            var header = SCARD_IO_REQUEST()
            header.dwProtocol = numericCast(
                handles.usesT1 ? SCARD_PROTOCOL_T1 : SCARD_PROTOCOL_T0)
            header.cbPciLength = numericCast(MemoryLayout<SCARD_IO_REQUEST>.size)
            // A short APDU brings at most 256 bytes and its status word.
            var response = [UInt8](repeating: 0, count: 512)
            var length = PCSC.Word(response.count)
            let code = SCardTransmit(
                handles.card, &header, command, PCSC.Word(command.count), nil, &response, &length)
            guard code == 0 else { return .failure(PCSC.failure(code)) }
            // Some readers return no data, instead of an error, if the card is removed during a
            // command.
            guard length > 0 else { return .failure(.removed) }
            return .success(Array(response.prefix(Int(length))))
        }

        func disconnect() {
            let handles = handles.withLock { handles in
                defer { handles = nil }
                return handles
            }
            guard let handles else { return }
            SCardDisconnect(handles.card, PCSC.Word(SCARD_RESET_CARD))
            SCardReleaseContext(handles.context)
        }
    }

    private let link = Link()
    private let thread: AbandonableThread

    init(reader: String) throws(TransportError) {
        do { thread = try AbandonableThread() } catch { throw TransportError(error) }
        let outcome = thread.run(within: Self.timeout) { [link] in
            link.connect(reader).map { Result<Void, TransportError>.failure($0) } ?? .success(())
        }
        do throws(TransportError) {
            guard let outcome else { throw .timedOut }
            try outcome.get()
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    func transmit(_ command: [UInt8], within limit: Int64) throws(TransportError) -> [UInt8] {
        let response = thread.run(within: limit) { [link] in link.transmit(command) }
        guard let response else { throw .timedOut }
        return try response.get()
    }

    func close() { thread.end { [link] in link.disconnect() } }
}
