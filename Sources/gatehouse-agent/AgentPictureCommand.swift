import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import ArgumentParser
import CommandLineSupport
import JOSE
import Primitives

/// `gatehouse-agent picture`
struct AgentPictureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture",
        abstract: "Write your picture from the provider: PNG or JPEG.",
        discussion: """
            Pictures are asked for where the profile has SynchronizeProfilePicture. With --json it \
            is {"format","data"}, where data is base64url. gatehouse-agent status displays whether there is one.

            Examples:

              gatehouse-agent picture --output me.png
              gatehouse-agent picture --json
            """)

    @OptionGroup var agent: AgentOptions
    @OptionGroup var format: OutputOptions
    @Option(help: ArgumentHelp("File to write; standard output if absent.", valueName: "file"))
    var output: String?

    func run() async throws {
        let value = try await agent.send(.picture)
        if format.json { return print(value.text) }
        guard let bytes = value["data"]?.string.flatMap({ Base64URL.decode($0) }) else {
            throw CommandError("the response of the agent is not valid")
        }
        guard output != nil || !StandardOutput.isTerminal else {
            let name = value["format"]?.string ?? "picture"
            throw CommandError(
                "a \(name) of \(bytes.count) bytes is nothing for a terminal; use --output",
                code: .badInput)
        }
        try SealFiles.write(bytes, to: output)
    }
}
