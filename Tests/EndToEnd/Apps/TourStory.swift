// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// `gatehouse tour`, with the example app and the agent as processes.
    @Suite("The tour")
    struct TourStory {
        /// A separate directory for the tour, and its remaining files.
        private struct Place {
            let folder: TemporaryDirectory

            init() throws { folder = try TemporaryDirectory() }

            var environment: [String: String] {
                // An unrelated server.
                [
                    "TMPDIR": folder.url.path(), "LC_ALL": "C.UTF-8",
                    "GATEHOUSE_SERVER": "http://127.0.0.1:1", "GATEHOUSE_DATABASE": "nonsense:",
                    "NOTES_SCOPES": "nonsense",
                ]
            }

            /// Starts the tour without a terminal.
            func start(_ program: URL = Repository.gatehouse) throws -> ChildProcess {
                try ChildProcess(
                    program, ["tour", "--yes"], log: folder.file("told"), environment: environment)
            }

            func told() throws -> String {
                try String(contentsOf: folder.file("told"), encoding: .utf8)
            }

            func tells(_ text: String, _ tour: ChildProcess) async throws {
                try await eventually("the tour tells \(text)", within: .seconds(60)) {
                    let told = try told()
                    if told.contains(text) { return true }
                    guard tour.isRunning else { throw HarnessError(told) }
                    return nil
                }
            }

            var folders: [String] {
                get throws {
                    try FileManager.default.contentsOfDirectory(atPath: folder.url.path())
                        .filter { $0.hasPrefix("gatehouse-tour") }
                }
            }

            /// Processes that work in the tour's folder, by what they run.
            func processes() throws -> [(pid: Int32, words: String)] {
                let real = folder.url.resolvingSymlinksInPath().path()
                return try FileManager.default.contentsOfDirectory(atPath: "/proc")
                    .compactMap { Int32($0) }
                    .filter {
                        let place = try? FileManager.default.destinationOfSymbolicLink(
                            atPath: "/proc/\($0)/cwd")
                        return place?.hasPrefix(real + "/gatehouse-tour") == true
                            || place?.hasPrefix(real + "gatehouse-tour") == true
                    }
                    .map { pid in
                        let words = try? Data(contentsOf: URL(filePath: "/proc/\(pid)/cmdline"))
                        return (pid, String(decoding: words ?? Data(), as: UTF8.self))
                    }
            }

            /// No folder, no process.
            func isClean() async throws {
                #expect(try folders.isEmpty)
                try await eventually("no process is left") {
                    try processes().isEmpty ? true : nil
                }
            }
        }

        @Test("It is told to its end, shows no secret, and leaves nothing")
        func told() async throws {
            let place = try Place()
            let tour = try place.start()
            let status = try await tour.ended(within: .seconds(180))
            let told = try place.told()
            #expect(status == 0, "\(told.suffix(1500))")
            for part in Self.app + Self.laptop {
                #expect(told.contains(part), "\(part)")
            }
            #expect(!told.contains("left out"))
            #expect(!told.contains("\u{1B}["), "colours in a pipe")
            // A signed token begins so; only this part may be displayed.
            let tokens = told.split(whereSeparator: \.isWhitespace).filter {
                $0.hasPrefix("eyJ") && $0.count > 20
            }
            #expect(tokens.isEmpty)
            try await place.isClean()
        }

        private static let app = [
            "1  A provider", "2  Anna registers", "$ notes register --person anna", "← 201",
            "Choose a PIN of 5 digits: •••••", "Registered as", "The response is lost",
            "registered once", "4 attempts left", "by swk, pin, mfa.", "$ notes list", "buy milk",
            "5  Anna keeps a note, and a thief", "POST /introspect", "401, and 401:",
            "6  Anna plugs in a security key", "POST /registration/passkeys",
            "The same person with the same identifier", "GET /userinfo", "This device may: weather",
            "DELETE /registration/account", "The account is closed.", "The account does not exist",
        ]
        private static let laptop = [
            "10  A laptop registers by itself", "$ gatehouse-agent run", "No person signed in",
            "11  Dora signs in to the laptop", "Password of dora at", "✓ Signed in",
            "╭─ This device", "✓ Signed in as dora", "$ gatehouse-agent status",
            "Dora got no prompt", "13  The laptop is handed in", "Not registered yet",
            "its data are deleted",
        ]

        @Test("Without the app in its directory, it says so, and continues with the rest")
        func withoutApp() async throws {
            let place = try Place()
            let program = place.folder.file("gatehouse")
            let built = Repository.gatehouse
            try FileManager.default.copyItem(at: built, to: program)
            for name in ["gatehouse_WebPages.resources", "gatehouse-agent"] {
                try FileManager.default.createSymbolicLink(
                    at: place.folder.file(name),
                    withDestinationURL: built.deletingLastPathComponent().appending(path: name))
            }
            let tour = try place.start(program)
            let status = try await tour.ended(within: .seconds(180))
            let told = try place.told()
            #expect(status == 0, "\(told.suffix(1500))")
            #expect(told.contains("chapters about the app are skipped"))
            #expect(told.contains("swift build --product notes"))
            #expect(told.contains("2  A laptop registers by itself"))
            #expect(!told.contains("Anna"))
            try await place.isClean()
        }

        @Test(
            "Stopped in the middle, it takes everything away", arguments: [SIGINT, SIGTERM, SIGHUP])
        func stopped(_ signal: Int32) async throws {
            let place = try Place()
            let tour = try place.start()
            try await place.tells("3  Bert registers", tour)
            tour.signal(signal)
            #expect(try await tour.ended() == 1)
            #expect(try place.told().contains("the tour is stopped, and its data are deleted"))
            try await place.isClean()
        }

        @Test("A provider that dies in the middle: it says so, and takes everything away")
        func died() async throws {
            let place = try Place()
            let tour = try place.start()
            try await place.tells("2  Anna registers", tour)
            let provider = try #require(try place.processes().first { $0.words.contains("serve") })
            kill(provider.pid, SIGKILL)
            #expect(try await tour.ended() == 1)
            #expect(try place.told().contains("the tour's provider has ended in the middle"))
            try await place.isClean()
        }

        @Test(
            "At a terminal it waits between chapters, and another can follow",
            .enabled(if: TerminalSession.isAvailable, "needs tmux"))
        func follow() async throws {
            let place = try Place()
            let terminal = try await TerminalSession(
                Repository.gatehouse, ["tour"], columns: 60, rows: 200,
                environment: place.environment)
            try await terminal.shows("Return to go on")
            try await terminal.press("Enter")
            try await terminal.shows("2  Anna registers")
            try await terminal.shows("The PIN is not stored")
            let name = try #require(try place.folders.first)
            let typed = try await Command.run(
                URL(filePath: "/bin/sh"),
                ["-c", ". '\(place.folder.file(name).path())/follow' && notes people"])
            #expect(typed.status == 0, "\(typed.errors)")
            #expect(typed.output.contains("with a PIN"))
            try await terminal.press("C-c")
            try await terminal.shows("the tour is stopped")
            #expect(try await terminal.status() == 1)
            try await place.isClean()
        }
    }
}
