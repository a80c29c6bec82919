// SPDX-License-Identifier: Apache-2.0
import JOSE
import Logging
import Primitives
import Support
import Synchronization
import Testing

@testable import CommandLineSupport

@Suite struct LineLogHandlerTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private let lines = Lines()
    private let level = LineLogHandler.Level(.info)

    private func logger(_ format: LineLogHandler.Format) -> Logger {
        Logger(label: "t") { [lines, level] label in
            LineLogHandler(label: label, format: format, level: level, clock: ManualClock()) {
                line in
                lines.all.withLock { $0.append(line) }
            }
        }
    }

    @Test("Attack 49: a JSON line is one object on one line, whatever is in it")
    func json() throws {
        logger(.json).notice("a \"b\"\nc", metadata: ["request_id": "7", "x": "\u{1B}[0m"])
        let line = try #require(lines.all.withLock { $0.first })
        #expect(line.hasSuffix("}\n") && line.count { $0 == "\n" } == 1)
        let object = try JSONParser.parse(Array(line.utf8), maximumBytes: 1000)
        #expect(object["message"]?.string == "a \"b\"\nc")
        #expect(object["request_id"]?.string == "7")
        #expect(object["level"]?.string == "notice")
    }

    @Test("A secret is redacted in every format")
    func secrets() {
        for format in [LineLogHandler.Format.json, .text(colour: true), .text(colour: false)] {
            logger(format).error("x", metadata: ["token": "\(Secret("hunter2"))"])
        }
        #expect(lines.all.withLock { !$0.contains { $0.contains("hunter2") } })
        #expect(lines.all.withLock { $0.count } == 3)
    }

    @Test("The level of the process can change while it runs; a logger may be quieter, not louder")
    func levels() {
        var log = logger(.json)
        log.debug("no")
        level.now = .debug
        log.debug("yes")
        log.logLevel = .error
        log.info("no")
        log.logLevel = .trace
        log.trace("no")
        #expect(lines.all.withLock { $0.count } == 1)
    }
}
