// SPDX-License-Identifier: Apache-2.0
import CTAP
import Testing

@Suite struct CTAPCommandTests {
    @Test("A byte that names no command is none", arguments: [0x00, 0x03, 0x05, 0x0E, 0x42, 0xFF])
    func unknown(_ byte: UInt8) {
        #expect(CTAPCommand(rawValue: byte) == nil)
    }
}
