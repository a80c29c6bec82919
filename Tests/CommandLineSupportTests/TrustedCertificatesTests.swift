// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

@testable import CommandLineSupport

/// `--ca`
@Suite struct TrustedCertificatesTests {
    @Test("A file that is not there, or holds no certificate, is refused before anything begins")
    func refusals() throws {
        let folder = TestFolder()
        let empty = folder.path("empty.pem")
        try Data().write(to: URL(filePath: empty))
        let words = folder.path("words.pem")
        try Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)
            .write(to: URL(filePath: words))
        for (path, reason) in [
            (folder.path("nothing.pem"), "no such file"), (empty, "no certificate"),
            (words, "no certificate"), (folder.path(""), "no certificate"),
        ] {
            let refusal = #expect(throws: CommandError.self) {
                try TrustedCertificates.checked(path)
            }
            #expect(refusal?.code == .badInput)
            #expect(
                refusal?.description.contains(reason) == true,
                "\(path): \(refusal?.description ?? "nothing")")
        }
        #expect(try TrustedCertificates.checked(nil) == nil)
    }
}
