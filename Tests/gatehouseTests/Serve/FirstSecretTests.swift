// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Foundation
import Logging
import ProviderSupport
import Support
import Testing

@testable import gatehouse

@Suite struct FirstSecretTests {
    private let folder = TestFolder()
    private let log = LogLines()

    private func tell(isOnTerminal: Bool) throws {
        try FirstSecret(
            directory: try DataDirectory.open(folder.path("data")), log: log.logger,
            isOnTerminal: isOnTerminal
        ).report(
            "first start: open the link", "link", "https://a.example/setup?token=x",
            file: "setup-link")
    }

    @Test(
        "Attack 69: a log that is kept names the file with the first link, which is its owner's alone"
    )
    func file() throws {
        try tell(isOnTerminal: false)
        let path = folder.path("data/setup-link")
        #expect(try SecretFile.read(path) == Array("https://a.example/setup?token=x\n".utf8))
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(
            log.lines.count == 1 && log.lines[0].contains(path) && !log.lines[0].contains("token"))
    }

    @Test("On a terminal the link is shown, and no file is left")
    func terminal() throws {
        try tell(isOnTerminal: true)
        #expect(log.lines.count == 1 && log.lines[0].contains("/setup?token=x"))
        #expect(try SecretFile.read(folder.path("data/setup-link")) == nil)
    }
}
