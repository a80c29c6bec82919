// SPDX-License-Identifier: Apache-2.0
import CPCSC
import Synchronization

/// A card on a reader of PC/SC.
final class PCSCCard: CardChannel {
    private let context: SCARDCONTEXT
    private let card: PCSC.Handle
    private let usesT1: Bool
    private let isOpen = Mutex(true)

    /// Connects; nobody else can use the card meanwhile.
    init(reader: String) throws(TransportError) {
        guard let context = PCSC.context() else { throw .removed }
        var card = PCSC.Handle()
        var active: PCSC.Word = 0
        let code = SCardConnect(
            context, reader, PCSC.Word(SCARD_SHARE_EXCLUSIVE),
            PCSC.Word(SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1), &card, &active)
        guard code == 0 else {
            SCardReleaseContext(context)
            throw PCSC.failure(code)
        }
        self.context = context
        self.card = card
        usesT1 = active == PCSC.Word(SCARD_PROTOCOL_T1)
    }

    deinit { close() }

    func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        guard isOpen.withLock({ $0 }) else { throw .closed }
        var header = SCARD_IO_REQUEST()
        header.dwProtocol = numericCast(usesT1 ? SCARD_PROTOCOL_T1 : SCARD_PROTOCOL_T0)
        header.cbPciLength = numericCast(MemoryLayout<SCARD_IO_REQUEST>.size)
        // A short APDU brings at most 256 bytes and its status word.
        var response = [UInt8](repeating: 0, count: 512)
        var length = PCSC.Word(response.count)
        let code = SCardTransmit(
            card, &header, command, PCSC.Word(command.count), nil, &response, &length)
        guard code == 0 else { throw PCSC.failure(code) }
        // Some readers have nothing to say, instead of an error, when the card leaves in the middle.
        guard length > 0 else { throw .removed }
        return Array(response.prefix(Int(length)))
    }

    func close() {
        let wasOpen = isOpen.withLock { open in
            defer { open = false }
            return open
        }
        guard wasOpen else { return }
        SCardDisconnect(card, PCSC.Word(SCARD_RESET_CARD))
        SCardReleaseContext(context)
    }
}
