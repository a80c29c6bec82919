// SPDX-License-Identifier: Apache-2.0
import CTAP
import Testing

@Suite struct APDUTests {
    @Test(
        "both forms of every case of ISO 7816 read back as what was written",
        arguments: [0, 1, 255, 256, 65535], [nil, 1, 255, 256, 65536] as [Int?])
    func roundTrip(count: Int, expected: Int?) throws {
        let command = CommandAPDU(
            cla: 0x80, ins: 0x10, p1: 1, p2: 2, data: [UInt8](repeating: 7, count: count),
            expected: expected)
        #expect(CommandAPDU(try #require(command.extended)) == command)
        if count <= 255, (expected ?? 1) <= 256 {
            #expect(CommandAPDU(try #require(command.short)) == command)
        } else {
            #expect(command.short == nil)
        }
    }

    @Test("what no APDU can carry has no form")
    func tooLong() {
        let long = [UInt8](repeating: 0, count: 65536)
        #expect(CommandAPDU(cla: 0, ins: 0, data: long).extended == nil)
        #expect(CommandAPDU(cla: 0, ins: 0, expected: 65537).extended == nil)
    }

    @Test(
        "bytes whose lengths contradict one another are no command",
        arguments: [
            "", "00", "00 01 02", "00 01 02 03 02 aa", "00 01 02 03 01 aa bb cc",
            "00 01 02 03 00 00", "00 01 02 03 00 00 02 aa", "00 01 02 03 00 00 01 aa bb",
            "00 01 02 03 00 00 01 aa bb cc dd",
        ])
    func malformed(bytes: String) { #expect(CommandAPDU(hex(bytes)) == nil) }

    @Test("libfido2's U2F version command, with an extended length of zero, is read")
    func zeroLength() {
        #expect(
            CommandAPDU(hex("00 03 00 00 00 00 00 00 00"))
                == CommandAPDU(cla: 0, ins: 3, expected: 65536))
    }

    @Test("a response needs a status word")
    func response() {
        #expect(ResponseAPDU([]) == nil)
        #expect(ResponseAPDU([0x90]) == nil)
        #expect(ResponseAPDU([0x90, 0x00]) == ResponseAPDU(status: .ok))
        #expect(ResponseAPDU([1, 0x61, 0x00])?.status.remaining == 256)
        #expect(StatusWord(rawValue: 0x6105).remaining == 5)
        #expect(StatusWord.ok.remaining == nil)
        #expect(StatusWord(rawValue: 0x000A).description == "000A")
    }

    @Test("a chain whose parts do not belong together, or that is too long, is refused")
    func chainFaults() throws {
        var assembler = CommandChainAssembler(limit: 300)
        let part = CommandAPDU(cla: 0x90, ins: 0x10, data: [UInt8](repeating: 0, count: 200))
        #expect(try assembler.receive(part) == .incomplete)
        #expect(throws: CommandChainAssembler.AssemblyError.self) {
            try assembler.receive(CommandAPDU(cla: 0x80, ins: 0x11))
        }
        #expect(try assembler.receive(part) == .incomplete)
        #expect(throws: CommandChainAssembler.AssemblyError.self) { try assembler.receive(part) }
        let last = CommandAPDU(cla: 0x80, ins: 0x10, data: [1], expected: 256)
        #expect(try assembler.receive(last) == .command(last))
    }
}
