// SPDX-License-Identifier: Apache-2.0
import JOSE
import Testing

@Suite struct PEMFileTests {
    @Test("A file gives the blocks of one label, whatever is between them")
    func files() {
        let text = """
            subject=/CN=One
            -----BEGIN CERTIFICATE-----
            MAMC
            AQE=
            -----END CERTIFICATE-----
            -----BEGIN X509 CRL-----
            MAMCAQI=
            -----END X509 CRL-----
            -----BEGIN CERTIFICATE-----\r
            MAMCAQM=\r
            -----END CERTIFICATE-----\r
            """
        #expect(
            PEMBlock.all("CERTIFICATE", in: text).map(\.der) == [
                [48, 3, 2, 1, 1], [48, 3, 2, 1, 3],
            ])
        #expect(PEMBlock.all("X509 CRL", in: text).map(\.der) == [[48, 3, 2, 1, 2]])
        #expect(PEMBlock.contents("CERTIFICATE", in: [0x30, 0]) == [[0x30, 0]])
        #expect(PEMBlock.contents("CERTIFICATE", in: Array(text.utf8)).count == 2)
    }

    @Test(
        "What cannot be read is left out of a file",
        arguments: [
            "", "-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nMAMCAQE=",
            "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
            "MAMCAQE=\n-----END CERTIFICATE-----",
            "-----BEGIN X509 CRL-----\nMAMCAQE=\n-----END CERTIFICATE-----",
        ])
    func unreadable(_ text: String) {
        #expect(PEMBlock.all("CERTIFICATE", in: text).isEmpty)
    }
}
