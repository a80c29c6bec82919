// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// A command that `gatehouse-agent` has, with the same arguments.
protocol ForwardedCommand: ParsableCommand {
    /// The command's words there, before ``arguments``.
    static var words: [String] { get }
    /// As they were typed, options and `--help` included.
    var arguments: [String] { get }
}

extension ForwardedCommand {
    func run() throws { try AgentExecutable.run(Self.words + arguments) }

    static func forwarded(
        _ abstract: String, example: String
    ) -> CommandConfiguration {
        let words = ([AgentExecutable.name] + words).joined(separator: " ")
        return CommandConfiguration(
            commandName: words.split(separator: " ").dropFirst().last.map(String.init) ?? "agent",
            abstract: abstract,
            discussion: """
                Runs \(words), which has the options: \(words) --help.

                Example: \(example)
                """)
    }
}

/// `gatehouse agent`
struct AgentCommand: ForwardedCommand {
    static let words: [String] = []
    static let configuration = forwarded(
        "Run the agent of this device, which registers it and its users.",
        example: "sudo gatehouse agent install")

    @Argument(parsing: .captureForPassthrough, help: "Arguments of gatehouse-agent.")
    var arguments: [String] = []
}

/// `gatehouse status`
struct ForwardedStatusCommand: ForwardedCommand {
    static let words = ["status"]
    static let configuration = forwarded(
        "Show the registration, keys and next actions of this device.",
        example: "gatehouse status --json")

    @Argument(parsing: .captureForPassthrough, help: "Arguments of gatehouse-agent status.")
    var arguments: [String] = []
}

/// `gatehouse extension`
struct ForwardedExtensionCommand: ForwardedCommand {
    static let words = ["extension"]
    static let configuration = forwarded(
        "Sign, install and list the single sign-on extensions of this device.",
        example: "gatehouse extension list")

    @Argument(parsing: .captureForPassthrough, help: "Arguments of gatehouse-agent extension.")
    var arguments: [String] = []
}

/// `gatehouse register device`
struct ForwardedRegisterDeviceCommand: ForwardedCommand {
    static let words = ["register", "device"]
    static let configuration = forwarded(
        "Register this device at the provider that its profile names.",
        example: "sudo gatehouse register device")

    @Argument(parsing: .captureForPassthrough, help: "Arguments of the agent's command.")
    var arguments: [String] = []
}

/// `gatehouse register user`
struct ForwardedRegisterUserCommand: ForwardedCommand {
    static let words = ["register", "user"]
    static let configuration = forwarded(
        "Register yourself on this device, and sign in.", example: "gatehouse register user")

    @Argument(parsing: .captureForPassthrough, help: "Arguments of the agent's command.")
    var arguments: [String] = []
}

/// `gatehouse unregister device`
struct ForwardedUnregisterDeviceCommand: ForwardedCommand {
    static let words = ["unregister", "device"]
    static let configuration = forwarded(
        "Remove this device, and all people on it, from its provider.",
        example: "sudo gatehouse unregister device")

    @Argument(parsing: .captureForPassthrough, help: "Arguments of the agent's command.")
    var arguments: [String] = []
}

/// `gatehouse unregister user`
struct ForwardedUnregisterUserCommand: ForwardedCommand {
    static let words = ["unregister", "user"]
    static let configuration = forwarded(
        "Remove your account from this device.", example: "gatehouse unregister user")

    @Argument(parsing: .captureForPassthrough, help: "Arguments of the agent's command.")
    var arguments: [String] = []
}
