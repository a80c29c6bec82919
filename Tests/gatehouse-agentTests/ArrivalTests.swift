import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Foundation
import JOSE
import Platform
import Primitives
import Support
import Synchronization
import Testing

@testable import gatehouse_agent

@Suite struct SessionUserTests {
    private func visitor(
        _ environment: [String: String] = [:], named: String? = nil, user: UInt32 = 1000
    ) -> SessionUser? {
        SessionUser(named: named, environment: environment, user: user) {
            ["root": 0, "daemon": 1, "anna": 1000][$0]
        }
    }

    @Test("It is who was named, else who PAM says has come, else who runs it")
    func who() {
        #expect(visitor(["PAM_USER": "bea"], named: "root", user: 0)?.account == "root")
        #expect(visitor(["PAM_USER": "anna"], user: 0)?.account == "anna")
        #expect(visitor(["PAM_USER": "anna", "PAM_TYPE": "open_session"])?.account == "anna")
        // Of a directory that does not answer.
        #expect(visitor(["PAM_USER": "far-away"])?.account == "far-away")
        #expect(visitor(["PAM_USER": ""]) != nil)
        #expect(visitor()?.account == .some(nil))
    }

    @Test("The end of a session is no arrival")
    func leaving() {
        for type in ["close_session", "auth", ""] {
            #expect(visitor(["PAM_USER": "anna", "PAM_TYPE": type]) == nil, "\(type)")
        }
    }

    @Test("Root and the accounts of services are not asked")
    func system() {
        #expect(visitor(["PAM_USER": "root"]) == nil)
        #expect(visitor(["PAM_USER": "daemon", "PAM_TYPE": "open_session"]) == nil)
        #expect(visitor(user: 0) == nil && visitor(user: 999) == nil)
    }

    @Test("The account nobody and the accounts of systemd are not prompted")
    func ranges() {
        for none: UInt32 in [0, 999, 60_514, 61_184, 65_519, 65_534, 65_535] {
            #expect(visitor(user: none) == nil, "\(none)")
            let told = SessionUser(
                named: nil, environment: ["PAM_USER": "x"], user: 0, identifier: { _ in none })
            #expect(told == nil, "\(none)")
        }
        // People of this machine, with a home that they carry along, and of a directory.
        for person: UInt32 in [1000, 60_000, 60_001, 60_513, 65_536, 1_000_000] {
            #expect(visitor(user: person) != nil, "\(person)")
        }
    }

    @Test("The system has the account root, and no account of an unknown name")
    func identifiers() {
        #expect(SystemAccount(named: "root")?.id == 0)
        #expect(SystemAccount(named: "no such account here") == nil)
    }
}

@Suite struct ArrivalTextTests {
    private static let now = "2026-11-22T12:00:00Z"

    private func text(_ person: JSONValue) throws -> (SessionStartAdvice, ArrivalText) {
        let status = try #require(
            AgentStatus([
                "now": .string(Self.now), "key_store": "file", "extension": "a", "devices": [],
                "people": [person], "problems": [],
            ]))
        let advice = try #require(SessionStartAdvice(status, account: "anna"))
        return (advice, ArrivalText(advice, now: status.now))
    }

    private static let people: [(JSONValue, String)] = [
        (
            ["account": "anna", "phase": "waiting", "standing": "signed_out"],
            "Gatehouse: You are not registered on this device yet. Type: gatehouse-agent register user"
        ),
        (
            ["account": "anna", "phase": "waiting", "standing": "signed_out", "repair": true],
            "Gatehouse: You have to register on this device again. Type: gatehouse-agent register user"
        ),
        (
            [
                "account": "anna", "phase": "registered", "standing": "signed_out",
                "next": "sign_in",
            ],
            "Gatehouse: You are signed out. Type: gatehouse-agent sign-in"
        ),
        (
            [
                "account": "anna", "phase": "registered", "standing": "signed_in",
                "next": "sign_in", "next_at": "2026-11-22T12:50:00Z",
            ],
            "Gatehouse: You have to sign in again within 50 minutes. Type: gatehouse-agent sign-in"
        ),
    ]

    @Test("Each is one line with the command to type", arguments: people.indices)
    func lines(_ index: Int) throws {
        let (person, line) = Self.people[index]
        let (_, text) = try text(person)
        #expect(text.line == line)
        // Desktops read markup in what they show.
        #expect(!(text.sentence + text.body).contains { "<>&".contains($0) })
    }

    @Test("A script reads what is wanted, and until when")
    func json() throws {
        let (advice, text) = try text(Self.people[3].0)
        let report = ArrivalReport(isTold: true, advice: advice, text: text).json
        #expect(report["wants"]?.string == "renew" && report["told"]?.bool == true)
        #expect(report["until"]?.string == "2026-11-22T12:50:00.000Z")
        #expect(report["command"]?.string == "gatehouse-agent sign-in")
        let nothing = ArrivalReport(isTold: false, advice: nil, text: nil).json
        #expect(nothing.text == #"{"told":false,"wants":null}"#)
    }
}

@Suite struct DesktopNotificationTests {
    private final class Desktop: Sendable {
        let calls = Mutex<[[String]]>([])
        let pauses = Mutex(0)
        /// What each call prints.
        let answers: Mutex<[String?]>
        /// Which service it is, as the bus names it.
        let owner = Mutex(":1.42")

        init(_ answers: [String?]) { self.answers = Mutex(answers) }
    }

    private let folder = TestFolder()

    private func notice(
        _ desktop: Desktop, tools: [String], bus: String = "unix:path=/nowhere"
    ) throws -> DesktopNotification {
        for tool in tools {
            let path = folder.path(tool)
            try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: path))
            chmod(path, 0o755)
        }
        let environment = [
            "PATH": folder.path(""), "XDG_RUNTIME_DIR": folder.path(""),
            "DBUS_SESSION_BUS_ADDRESS": bus,
        ]
        return DesktopNotification(
            environment: environment,
            run: { program, words in
                if words.contains("GetNameOwner") {
                    return desktop.owner.withLock { "s \"\($0)\"\n" }
                }
                desktop.calls.withLock { $0.append([program] + words) }
                return desktop.answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            }, pause: { desktop.pauses.withLock { $0 += 1 } })
    }

    @Test("notify-send shows it, and the next one takes its place")
    func replaced() async throws {
        let desktop = Desktop(["7\n", "7\n"])
        let notice = try notice(desktop, tools: ["notify-send", "busctl"])
        #expect(await notice.show("You are signed out.", "Type") == .shown)
        #expect(await notice.show("You are signed out.", "Type") == .shown)
        let calls = desktop.calls.withLock { $0 }
        #expect(calls.allSatisfy { $0[0].hasSuffix("/notify-send") })
        #expect(calls.map { $0.contains("--replace-id=0") } == [true, false])
        #expect(calls.last?.contains("--replace-id=7") == true)
        #expect(calls.last?.suffix(3) == ["--", "You are signed out.", "Type"])
    }

    @Test("After a restart of the service a number may be another program's, and is not used")
    func restarted() async throws {
        let desktop = Desktop(["7\n", "7\n", "3\n", "3\n"])
        let notice = try notice(desktop, tools: ["notify-send", "busctl"])
        for owner in [":1.42", ":1.42", ":1.4", ":1.4"] {
            desktop.owner.withLock { $0 = owner }
            #expect(await notice.show("a", "b") == .shown)
        }
        let replaced = desktop.calls.withLock { $0.compactMap { $0.first { $0.contains("-id=") } } }
        #expect(replaced == ["0", "7", "0", "3"].map { "--replace-id=\($0)" })
        // What an earlier version kept says nothing of the service.
        try Data("3\n".utf8).write(to: URL(filePath: folder.path("gatehouse-notice")))
        desktop.answers.withLock { $0 = ["4\n"] }
        #expect(await notice.show("a", "b") == .shown)
        #expect(desktop.calls.withLock { $0.last?.contains("--replace-id=0") } == true)
    }

    @Test("Where one tool is missing, or does not know its options, the other does it")
    func other() async throws {
        let alone = Desktop(["u 9\n"])
        let first = try await notice(alone, tools: ["busctl"]).show("a", "b")
        #expect(first == .shown)
        let old = Desktop([nil, "u 9\n"])
        let second = try await notice(old, tools: ["notify-send"]).show("a", "b")
        #expect(second == .shown)
        for desktop in [alone, old] {
            #expect(desktop.calls.withLock { $0.last?[0].hasSuffix("/busctl") } == true)
        }
        let next = Desktop(["9"])
        _ = try await notice(next, tools: []).show("a", "b")
        #expect(next.calls.withLock { $0.last?.contains("--replace-id=9") } == true)
    }

    @Test("A desktop that is not up yet is asked again, a few times")
    func again() async throws {
        let late = Desktop([nil, nil, "u 1"])
        let shown = try await notice(late, tools: ["busctl"]).show("a", "b")
        #expect(shown == .shown)
        #expect(late.pauses.withLock { $0 } == 2)
        let never = Desktop([])
        let refused = try await notice(never, tools: []).show("a", "b")
        #expect(refused == .refused)
        #expect(never.pauses.withLock { $0 } == 3)
    }

    @Test("Without a session bus or a tool nothing is run")
    func nothing() async throws {
        let desktop = Desktop(["u 1"])
        let noBus = try await notice(desktop, tools: [], bus: "").show("a", "b")
        #expect(noBus == .noDesktop)
        let noTool = try await notice(desktop, tools: []).show("a", "b")
        #expect(noTool == .noTool)
        // The bus of a session may be known by its place alone.
        try Data().write(to: URL(filePath: folder.path("bus")))
        let place = try await notice(desktop, tools: [], bus: "").show("a", "b")
        #expect(place == .noTool)
        #expect(desktop.calls.withLock { $0 }.isEmpty)
    }

    @Test("Work beyond the time limit continues without the caller")
    func limited() async {
        #expect(await Deadline.run(.seconds(60)) { 1 } == 1)
        #expect(await Deadline.run(.seconds(60)) { nil as Int? } == nil)
        let (never, continuation) = AsyncStream<Int>.makeStream()
        let found = await Deadline.run(.milliseconds(1)) { () async -> Int? in
            for await number in never { return number }
            return nil
        }
        #expect(found == nil)
        continuation.finish()
    }
}
