// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// The lines for PAM that docs/agent.md shows, in the PAM of this machine.
    @Suite(
        "The agent and PAM",
        .enabled(
            if: TerminalSession.isAvailable && Repository.has("python3")
                && PAMService.isInstalled, "needs tmux, Python and PAM's modules"))
    struct AgentPAMStory {
        @Test("the lines of the documentation admit exactly the people of the policies")
        func lines() async throws {
            let (server, token) = try await ServerProcess.withMachines("agent-pam-provider")
            let machine = try AgentMachine("agent-pam")
            try machine.install(.init(issuer: server.issuer, token: token))
            let agent = try machine.start()
            _ = try await machine.registered()
            try await machine.register(
                [("Password of anna", DeclaredState.password)], as: "anna")
            // Without a policy the local password does, and else the provider's.
            #expect(try await lets(machine, in: "x", localIs: true))
            #expect(try await lets(machine, in: DeclaredState.password, localIs: false))
            #expect(try await !lets(machine, in: "x", localIs: false))
            #expect(try await !lets(machine, in: "", localIs: false))
            var profile = TestProfile(issuer: server.issuer, token: token)
            profile.loginPolicy = ["RequireAuthentication"]
            try machine.install(profile)
            try await eventually("the policy holds") {
                try await lets(machine, in: "x", localIs: true) ? nil : true
            }
            #expect(try await lets(machine, in: DeclaredState.password, localIs: true))
            try await server.stop()
            #expect(try await !lets(machine, in: DeclaredState.password, localIs: true))
            #expect(try await agent.stop() == 0)
            // Without the agent all logins are refused: the lines fail closed.
            #expect(try await !lets(machine, in: DeclaredState.password, localIs: true))
        }

        private func lets(
            _ machine: AgentMachine, in password: String, localIs isRight: Bool
        ) async throws -> Bool {
            try PAMService(isLocalPasswordRight: isRight, machine).write(to: machine.folder)
            let outcome = try await Command.run(
                Repository.path(of: "python3") ?? URL(filePath: "/usr/bin/python3"),
                [
                    Repository.peers.appending(path: "agent/pam_login.py").path(),
                    machine.folder.file("pam").path(), "login", NSUserName(),
                ], input: password + "\n")
            return outcome.status == 0
        }
    }
}

/// The content of /etc/pam.d, from the documentation.
struct PAMService {
    static let isInstalled = [
        "/lib/x86_64-linux-gnu/security", "/usr/lib/x86_64-linux-gnu/security",
        "/lib/aarch64-linux-gnu/security", "/usr/lib64/security", "/lib/security",
    ].contains { FileManager.default.fileExists(atPath: $0 + "/pam_exec.so") }

    private let text: String

    /// There is no local password here: a module returns the result of the comparison.
    init(isLocalPasswordRight isRight: Bool, _ machine: AgentMachine) throws {
        text = try Self.lines("auth", 3)
            .replacingOccurrences(
                of: "pam_unix.so", with: isRight ? "pam_permit.so" : "pam_deny.so"
            )
            .replacingOccurrences(
                of: "/usr/local/bin/gatehouse-agent admit login",
                with: "\(Repository.agent.path()) admit login --socket \(machine.socket)")
    }

    private init(text: String) { self.text = text }

    /// The line for sessions, after a module that permits all, as every system has one.
    static func session(_ machine: AgentMachine) throws -> PAMService {
        let line = try lines("session", 1).replacingOccurrences(
            of: "/usr/local/bin/gatehouse-agent arrived",
            with: "\(Repository.agent.path()) arrived --socket \(machine.socket)")
        return PAMService(text: line + "session required pam_permit.so\n")
    }

    /// What the documentation shows for that part of PAM.
    private static func lines(_ part: String, _ count: Int) throws -> String {
        let page = try String(
            contentsOf: Repository.root.appending(path: "docs/agent.md"), encoding: .utf8)
        let lines = page.split(separator: "\n").filter { $0.hasPrefix("    \(part) ") }
        guard lines.count == count else { throw HarnessError("\(lines)") }
        return lines.map { $0.dropFirst(4) + "\n" }.joined()
    }

    func write(to folder: TemporaryDirectory) throws {
        try FileManager.default.createDirectory(
            at: folder.file("pam"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.file("pam/login"))
    }
}
