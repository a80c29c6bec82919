import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import ArgumentParser
import CommandLineSupport
import JOSE
import Platform
import Primitives

/// `gatehouse-agent seal`
struct AgentSealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal",
        abstract: "Protect a secret so that only your sign-in at the provider opens it.",
        discussion: """
            Reads the secret (at most 64 KiB) from standard input or a file. What it writes may lie \
            anywhere: nothing on this disk opens it.

            Example: gatehouse-agent seal --output disk.sealed < disk.key
            """)

    @OptionGroup var agent: AgentOptions
    @Option(
        help: ArgumentHelp("File with the secret; standard input if absent.", valueName: "file"))
    var input: String?
    @Option(help: ArgumentHelp("File to write; standard output if absent.", valueName: "file"))
    var output: String?

    func run() async throws {
        let secret = try SealFiles.read(input)
        let greatest = SealedSecret.greatestSecret
        guard secret.withBytes({ 1...greatest ~= $0.count }) else {
            throw CommandError(
                "\(input ?? "standard input") must contain 1 to \(greatest) bytes", code: .badInput)
        }
        let sealed = try await agent.send(
            .seal, content: .string(Base64URL.encode(secret.reveal())))
        try SealFiles.write(Array((sealed.text + "\n").utf8), to: output)
    }
}

/// `gatehouse-agent unseal`
struct AgentUnsealCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unseal",
        abstract: "Decrypt sealed data, with the key service of the provider.",
        discussion: """
            Example: gatehouse-agent unseal --input disk.sealed | \
            cryptsetup open --key-file - disk.img disk
            """)

    @OptionGroup var agent: AgentOptions
    @Option(help: ArgumentHelp("The sealed data; standard input if absent.", valueName: "file"))
    var input: String?
    @Option(help: ArgumentHelp("File to write; standard output if absent.", valueName: "file"))
    var output: String?

    func run() async throws {
        let text = try SealFiles.read(input).reveal()
        guard let object = try? JSONParser.parseObject(text, maximumBytes: 262_144) else {
            throw CommandError(
                "the input is not data that gatehouse-agent seal wrote", code: .badInput)
        }
        let answer = try await agent.send(.unseal, content: .object(object))
        guard var bytes = answer.string.flatMap({ Base64URL.decode($0) }) else {
            throw CommandError("the response of the agent is not valid")
        }
        try SealFiles.write(Secret(wiping: &bytes).reveal(), to: output)
    }
}

/// Files that are their owner's alone, or the standard streams.
enum SealFiles {
    static func read(_ path: String?) throws -> Secret {
        do {
            let file = try path.map { try Descriptor.open($0) }
            defer { file?.close() }
            var content = try (file ?? .standardInput).readAll(limit: 262_144)
            guard content.count <= 262_144 else {
                throw CommandError("the input is larger than 262144 bytes", code: .badInput)
            }
            return Secret(wiping: &content)
        } catch let error as CommandError { throw error } catch {
            throw CommandError("\(path ?? "standard input") cannot be read", code: .badInput)
        }
    }

    static func write(_ bytes: [UInt8], to path: String?) throws {
        guard let path else { return StandardOutput.write(bytes) }
        // Renaming over a device or a pipe would take its place.
        let kind = (try? FileStatus(path, followsLinks: false))?.kind
        guard kind == nil || kind == .file else {
            throw CommandError(
                "\(path) is not a file; leave out --output and redirect standard output",
                code: .badInput)
        }
        do { try SecretFile.replace(path, bytes) } catch { throw CommandError("\(error)") }
    }
}
