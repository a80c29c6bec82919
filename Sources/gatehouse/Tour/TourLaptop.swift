// SPDX-License-Identifier: Apache-2.0
import AgentClient
import CommandLineSupport
import Foundation
import JOSE
import Platform
import TerminalDialog

/// A laptop: the agent of Linux machines as a process, asked over its socket as the commands ask it,
/// and Dora, who sits before it.
struct TourLaptop: Sendable {
    /// All of it lies in the tour's folder.
    static let profiles = "profiles"
    static let socket = "agent.sock"

    let screen: TourScreen
    /// Dora's, at the provider.
    let password: String
    private let service: TourService
    private let line: AgentSocketClient

    /// Starts the agent: profiles are there already.
    static func start(
        in house: TourResources, _ screen: TourScreen, password: String
    ) throws -> TourLaptop {
        let words = [
            "run", "--state-dir", "agent", "--profiles", profiles, "--socket", socket, "--keys",
            "file",
        ]
        screen.command([AgentExecutable.name] + words + ["&"])
        let service = try house.start(
            "the laptop's agent", words, of: try AgentExecutable.find())
        return TourLaptop(
            screen: screen, password: password, service: service,
            line: AgentSocketClient(path: house.folder.path(socket)))
    }

    /// Why a laptop cannot be shown here; `nil` when it can. The agent tells who asks by the kernel's
    /// word, and by the name of their account.
    static var unavailable: String? {
        #if os(Linux)
            guard (try? AgentExecutable.find()) != nil else {
                return "\(AgentExecutable.name) is not installed"
            }
            return AgentCaller.name(of: SystemAccount.effectiveUser) == nil
                ? "your user id, \(SystemAccount.effectiveUser), has no account on this device"
                : nil
        #else
            return "the agent runs on Linux"
        #endif
    }

    /// Waits until the agent has registered the laptop, which it does by itself.
    func registered() async throws -> AgentStatus {
        try await service.wait { try await device()?.phase == "registered" }
        return try await status()
    }

    private func device() async throws -> AgentStatus.Device? {
        let device: AgentStatus.Device?
        do { device = try await status().devices.first } catch is AgentSocketClient.Absent {
            return nil
        }
        guard let device, ["retrying", "refused"].contains(device.phase) else { return device }
        throw CommandError("the laptop did not register: \(device.reason ?? device.phase)")
    }

    private func status() async throws -> AgentStatus {
        try Self.status(try await line.send(AgentRequest(.status, account: TourProvider.dora)))
    }

    private static func status(_ value: JSONValue) throws -> AgentStatus {
        guard let status = AgentStatus(value) else {
            throw CommandError("the response of the agent is not valid")
        }
        return status
    }

    // MARK: Commands

    /// Shows the command, and does what it does. Dora answers what she is asked.
    @discardableResult
    func run(_ words: [String], _ verb: AgentRequest.Verb) async throws -> JSONValue {
        screen.command([AgentExecutable.name] + words)
        let plain = TerminalStyle(hasColours: false, hasUnicode: screen.style.hasUnicode)
        let terminal = AgentTerminal(
            style: plain, isTerminal: false,
            write: { screen.printed($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
        return try await line.send(
            AgentRequest(verb, account: TourProvider.dora), tell: { terminal.show($0) },
            answer: { try answer($0) })
    }

    /// The same, and the panels that it ends with.
    func show(_ words: [String], _ verb: AgentRequest.Verb) async throws {
        let status = try Self.status(try await run(words, verb))
        screen.panel(
            StatusText(status: status, style: screen.style, width: screen.panelWidth).lines)
    }

    private func answer(_ question: AgentPrompt) throws -> String {
        switch question {
        case .line(let prompt, _):
            screen.printed(prompt, typed: TourProvider.dora, isHidden: false)
            return TourProvider.dora
        case .secret(let prompt):
            screen.printed(prompt, typed: password, isHidden: true)
            return password
        default: throw PresentationError.cancelled
        }
    }
}
