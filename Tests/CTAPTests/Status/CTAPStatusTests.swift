// SPDX-License-Identifier: Apache-2.0
import CTAP
import Testing

@Suite struct CTAPStatusTests {
    @Test("A status says its name and code")
    func names() {
        #expect(CTAPStatus.pinRequired.description == "CTAP2_ERR_PUAT_REQUIRED (0x36)")
        #expect(CTAPStatus.ok.description == "CTAP2_OK (0x00)")
        #expect(CTAPStatus(rawValue: 0x6E).description == "unknown status 0x6E")
        #expect(CTAPStatus(rawValue: 0xE3).description == "extension status 0xE3")
        #expect(CTAPStatus(rawValue: 0xFF).description == "vendor status 0xFF")
    }

    @Test("Every byte makes a status that equals only itself")
    func everyByte() {
        #expect(Set((UInt8.min...UInt8.max).map(CTAPStatus.init(rawValue:))).count == 256)
        #expect(CTAPStatus.known.count == 48)
    }
}
