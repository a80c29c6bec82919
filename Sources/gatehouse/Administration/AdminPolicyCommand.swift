// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Documents
import JOSE

/// A project's rules for tokens, passkeys and machines.
struct AdminPolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Lives of tokens, rules for passkeys, rules for machines (Platform SSO).",
        discussion: """
            Examples:

              gatehouse admin policy show tokens
              gatehouse admin policy set tokens access_token_lifetime=600
              gatehouse admin policy set webauthn --file webauthn.yaml
            """,
        subcommands: [Show.self, Set.self])

    enum Part: String, ExpressibleByArgument, CaseIterable, Sendable {
        case tokens, webauthn
        case platformSSO = "platform-sso"

        var segment: String { self == .tokens ? "token-policy" : rawValue + "-policy" }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "What holds now.",
            discussion: "Example: gatehouse admin policy show webauthn")
        @Argument(help: "tokens, webauthn or platform-sso.")
        var part: Part
        @OptionGroup var place: ProjectPlace

        func run() async throws { try await place.show(place.path(part.segment)) }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change what is named; everything else stays.",
            discussion: "Example: gatehouse admin policy set tokens access_token_lifetime=600")
        @Argument(help: "tokens, webauthn or platform-sso.")
        var part: Part
        @Argument(help: "KEY=VALUE: a number, true, false or a text. Lists come in a file.")
        var settings: [SettingText] = []
        @Option(help: "YAML or JSON, as `policy show` prints it; - is standard input.")
        var file: String?
        @OptionGroup var place: ProjectPlace

        func run() async throws {
            var body = try file.map { try DocumentFile.mapping($0) } ?? JSONObject()
            for setting in settings { body[setting.name] = setting.value }
            try await place.change("PUT", place.path(part.segment), body: .object(body))
        }
    }
}

/// `KEY=VALUE`
struct SettingText: ExpressibleByArgument {
    let name: String
    let value: JSONValue

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        name = String(parts[0])
        switch parts[1] {
        case "true": value = true
        case "false": value = false
        default: value = Int64(parts[1]).map(JSONValue.integer) ?? .string(String(parts[1]))
        }
    }
}

extension DocumentFile {
    /// A file that holds names with values.
    static func mapping(_ path: String) throws -> JSONObject {
        guard let object = try read(path).json.object else {
            throw CommandError("\(path) holds no mapping", code: .badInput)
        }
        return object
    }
}
