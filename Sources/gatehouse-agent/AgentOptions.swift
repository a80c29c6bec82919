import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import ArgumentParser
import CommandLineSupport
import JOSE
import Platform

/// Where the agent is, for the commands that ask it.
struct AgentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The agent's socket (GATEHOUSE_AGENT_SOCKET, /run/gatehouse/agent.sock).",
            valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp("The local account; only root may name another one.", valueName: "name"))
    var account: String?

    static func socketPath(_ given: String?) -> String {
        given ?? ProcessEnvironment.all["GATEHOUSE_AGENT_SOCKET"]
            ?? AgentSocketClient.standardPath
    }

    /// Sends a request to the agent and conducts the dialog in this terminal.
    ///
    /// - Parameter phone: Whether pages are opened on another device although this one has a
    ///   browser.
    func send(
        _ verb: AgentRequest.Verb, repair: Bool = false, localOnly: Bool = false,
        phone: Bool = false, content: JSONValue? = nil, _ terminal: AgentTerminal = AgentTerminal()
    ) async throws -> JSONValue {
        let line = AgentSocketClient(path: Self.socketPath(socket))
        var request = AgentRequest(verb, account: account, repair: repair, content: content)
        request.localOnly = localOnly
        request.hasBrowser = !phone && Browser.isPresent
        do {
            let value = try await line.send(
                request, tell: { terminal.show($0) }, answer: { try await terminal.answer($0) })
            terminal.finish(isGood: true)
            return value
        } catch {
            terminal.finish(isGood: false)
            switch error {
            case let refusal as AgentRefusal: throw CommandError(refusal.description)
            case let absent as AgentSocketClient.Absent: throw CommandError("\(absent)")
            case let foreign as AgentSocketClient.Foreign: throw CommandError("\(foreign)")
            case is PresentationError: throw CommandError("given up")
            default: throw error
            }
        }
    }
}
