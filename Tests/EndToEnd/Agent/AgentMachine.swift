// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A Linux device with the agent: separate directories, and the program as an administrator starts
/// it.
final class AgentMachine: Sendable {
    let folder: TemporaryDirectory
    private let arguments: [String]
    private let environment: [String: String]
    private let name: String

    convenience init(
        _ name: String, arguments: [String] = ["--keys", "file"],
        environment: [String: String] = [:]
    ) throws {
        try self.init(name, arguments: { _ in arguments }, environment: environment)
    }

    /// - Parameter arguments: Of `gatehouse-agent run`, in the machine's folder.
    private init(
        _ name: String, arguments: (TemporaryDirectory) -> [String],
        environment: [String: String]
    ) throws {
        self.name = name
        self.environment = environment
        folder = try TemporaryDirectory()
        self.arguments = arguments(folder)
        try FileManager.default.createDirectory(
            at: folder.file("profiles"), withIntermediateDirectories: true)
    }

    /// One whose keys live on the token `machine`.
    static func withToken(_ name: String, _ tokens: SoftwareTokens) throws -> AgentMachine {
        let machine = try AgentMachine(
            name,
            arguments: {
                [
                    "--keys", "pkcs11", "--pkcs11-module", SoftwareTokens.module, "--token",
                    "machine", "--pin-file", $0.file("pin").path(),
                ]
            }, environment: tokens.environment)
        let file = try machine.folder.write(SoftwareTokens.pin + "\n", to: "pin")
        chmod(file.path(), 0o600)
        return machine
    }

    var socket: String { folder.file("agent.sock").path() }
    var profile: URL { folder.file("profiles/sso.mobileconfig") }

    /// Installs a profile, as device management would: whole, under its name.
    func install(_ profile: TestProfile) throws {
        try Data(profile.text.utf8).write(to: self.profile, options: .atomic)
    }

    /// - Parameter starter: A program that starts the agent, with its arguments.
    func start(through starter: [String] = []) throws -> ChildProcess {
        let words =
            starter + [
                Repository.agent.path(), "run", "--state-dir", folder.file("state").path(),
                "--profiles", folder.file("profiles").path(),
                "--socket", socket,
            ] + arguments
        return try ChildProcess(
            URL(filePath: words[0]), Array(words.dropFirst()),
            log: Repository.outputFile("\(name).log"), environment: environment)
    }

    /// An agent with other arguments, to its end.
    func run(_ arguments: [String]) async throws -> Command.Outcome {
        try await Command.run(
            Repository.agent,
            ["run", "--state-dir", folder.file("state").path(), "--socket", socket]
                + arguments, environment: environment)
    }

    /// Waits until the agent answers.
    func answers() async throws {
        try await eventually("the agent answers") {
            try await ask("status").status == 0 ? true : nil
        }
    }

    /// A person at a terminal registers, and answers questions as they come.
    func register(_ answers: [(question: String, answer: String)], as name: String) async throws {
        let terminal = try await terminal("register", "user")
        for (question, answer) in [("Your user name", name)] + answers {
            try await terminal.shows(question)
            try await terminal.type(answer)
            try await terminal.press("Enter")
        }
        try await terminal.shows("✓ Signed in as \(name)")
        guard try await terminal.status() == 0 else { throw HarnessError("not registered") }
    }

    /// A command that asks the agent.
    func ask(_ words: String..., input: String = "") async throws -> Command.Outcome {
        try await Command.run(
            Repository.gatehouse, words + ["--socket", socket], input: input)
    }

    func status() async throws -> JSON {
        let outcome = try await ask("status", "--json")
        guard outcome.status == 0 else { throw HarnessError(outcome.errors) }
        return try JSON(parsing: Array(outcome.output.utf8))
    }

    /// Waits until the machine is registered; the name of its key.
    func registered() async throws -> String {
        try await eventually("the machine is registered", within: .seconds(60)) {
            let device = try await status()["devices"].array?.first
            guard device?["phase"].string == "registered" else { return nil }
            return device?["key_id"].string
        }
    }

    /// A person at a terminal of this machine.
    func terminal(_ words: String...) async throws -> TerminalSession {
        try await TerminalSession(
            Repository.gatehouse, words + ["--socket", socket], columns: 90, rows: 40)
    }
}

extension ServerProcess {
    /// A server whose machines may register, with a token for them.
    static func withMachines(
        _ name: String, uses: Int = 1, methods: [JSON] = ["password", "user_key"],
        settings: [String: JSON] = [:], arguments: [String] = []
    ) async throws -> (ServerProcess, token: String) {
        let server = try await ServerProcess(name, arguments: arguments)
        let common: [String: JSON] = ["enabled": true, "allowed_methods": .array(methods)]
        let state = DeclaredState(
            users: [DeclaredState.user("anna")],
            platformSSO: .object(common.merging(settings) { $1 }))
        try await server.apply(state.text)
        let made = try await Command.gatehouse(
            "admin", "registration-tokens", "create", "--uses", "\(uses)", "--json",
            "--data-dir", server.dataDirectory)
        guard let token = try JSON(parsing: Array(made.output.utf8))["token"].string else {
            throw HarnessError(made.output + made.errors)
        }
        return (server, token)
    }

    /// The machines that live, as an administrator sees them.
    func livingMachines() async throws -> Int {
        let list = try await Command.gatehouse(
            "admin", "devices", "list", "--json", "--data-dir", dataDirectory)
        let all = try JSON(parsing: Array(list.output.utf8))
        let devices = all.array ?? all["devices"].array ?? all["items"].array ?? []
        return devices.filter { $0["state"].string != "revoked" }.count
    }
}
