// SPDX-License-Identifier: Apache-2.0
import CPCSC

/// The calls of PC/SC, with errors of ``TransportError``. All of them block.
enum PCSC {
    #if os(Linux)
        typealias Word = DWORD
        typealias Handle = SCARDHANDLE
    #else
        typealias Word = UInt32
        typealias Handle = SCARDHANDLE
    #endif

    /// Converts a code of pcsclite.h. The library's constants are casts, which Swift does not
    /// import.
    static func failure(_ code: some BinaryInteger) -> TransportError {
        switch UInt32(truncatingIfNeeded: code) {
        // Removed, no smart card, reader unavailable, reset, unpowered, unresponsive.
        case 0x8010_0069, 0x8010_000C, 0x8010_0017, 0x8010_0068, 0x8010_0067, 0x8010_0066,
            0x8010_0016:
            .removed
        case 0x8010_000B: .busy
        case 0x8010_006A: .accessDenied
        case 0x8010_0002: .cancelled
        case 0x8010_000A: .timedOut
        case let code: .system(Int64(code))
        }
    }

    /// A connection to the service, or `nil` when it does not run.
    static func context() -> SCARDCONTEXT? {
        var context = SCARDCONTEXT()
        let code = SCardEstablishContext(Word(SCARD_SCOPE_SYSTEM), nil, nil, &context)
        return code == 0 ? context : nil
    }

    /// Names of the readers that there are.
    static func readers(_ context: SCARDCONTEXT) -> [String] {
        var size: Word = 0
        guard SCardListReaders(context, nil, nil, &size) == 0, 1...65536 ~= size else { return [] }
        var names = [CChar](repeating: 0, count: Int(size))
        guard SCardListReaders(context, nil, &names, &size) == 0 else { return [] }
        return names.prefix(Int(size)).split(separator: 0).map { name in
            String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
