// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A Linux machine with the agent on it: folders of its own, and the program as an administrator
/// starts it.
final class AgentMachine: Sendable {
    let folder: TemporaryDirectory
    private let arguments: [String]
    private let name: String

    init(_ name: String, arguments: [String] = ["--keys", "file"]) throws {
        self.name = name
        self.arguments = arguments
        folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            at: folder.file("profiles"), withIntermediateDirectories: true)
    }

    var socket: String { folder.file("agent.sock").path() }
    var profile: URL { folder.file("profiles/sso.mobileconfig") }

    /// Installs a profile, as device management would: whole, under its name.
    func install(issuer: String, token: String? = nil, method: String = "Password") throws {
        let token = token.map { "<key>RegistrationToken</key><string>\($0)</string>" } ?? ""
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>PayloadType</key><string>Configuration</string>
            <key>PayloadVersion</key><integer>1</integer>
            <key>PayloadIdentifier</key><string>com.example.sso</string>
            <key>PayloadUUID</key><string>22222222-2222-4222-8222-222222222222</string>
            <key>PayloadScope</key><string>System</string>
            <key>PayloadContent</key><array><dict>
            <key>PayloadType</key><string>com.apple.extensiblesso</string>
            <key>PayloadVersion</key><integer>1</integer>
            <key>PayloadIdentifier</key><string>com.example.sso.payload</string>
            <key>PayloadUUID</key><string>11111111-1111-4111-8111-111111111111</string>
            <key>ExtensionIdentifier</key><string>com.example.sso</string>
            <key>TeamIdentifier</key><string>ABCDE12345</string>
            <key>Type</key><string>Redirect</string>
            <key>URLs</key><array><string>\(issuer)</string></array>
            <key>ExtensionData</key><dict><key>issuer</key><string>\(issuer)</string></dict>
            \(token)
            <key>PlatformSSO</key><dict>
            <key>AuthenticationMethod</key><string>\(method)</string>
            <key>UseSharedDeviceKeys</key><true/>
            </dict></dict></array></dict></plist>
            """
        try Data(text.utf8).write(to: profile, options: .atomic)
    }

    func start() throws -> ChildProcess {
        try ChildProcess(
            Repository.gatehouse,
            [
                "agent", "run", "--state-dir", folder.file("state").path(), "--profiles",
                folder.file("profiles").path(), "--socket", socket,
            ] + arguments, log: Repository.outputFile("\(name).log"))
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
        _ name: String, uses: Int = 1, methods: [JSON] = ["password", "user_key"]
    ) async throws -> (ServerProcess, token: String) {
        let server = try await ServerProcess(name)
        let state = DeclaredState(
            users: [DeclaredState.user("anna")],
            platformSSO: ["enabled": true, "allowed_methods": .array(methods)])
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
