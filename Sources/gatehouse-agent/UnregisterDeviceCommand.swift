import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import ArgumentParser
import CommandLineSupport
import Platform

/// Options of the commands that unregister a device or a person.
struct LeavingOptions: ParsableArguments {
    @OptionGroup var agent: AgentOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Skip the confirmation.")
    var yes = false

    @Flag(help: "Do not contact the provider: for a provider that no longer exists.")
    var localOnly = false

    func leave(_ verb: AgentRequest.Verb, losing loss: String) async throws {
        // Asks for confirmation only if the agent runs and has a registration to delete.
        if !yes { try await check(verb) }
        try await DataLossConfirmation.ask(loss, isAgreed: yes)
        let value = try await agent.send(verb, localOnly: localOnly)
        try StatusText.print(value, json: output.json)
    }

    private func check(_ verb: AgentRequest.Verb) async throws {
        guard let status = AgentStatus(try await agent.send(.status)), verb == .unregisterUser,
            let account = agent.account ?? AgentCaller.name(of: SystemAccount.effectiveUser)
        else { return }
        let phase = status.people.first { $0.account == account }?.phase
        guard phase == nil || ["waiting", "waiting-for-device"].contains(phase) else { return }
        throw CommandError(AgentRefusal.notRegistered.description)
    }
}

/// `gatehouse-agent unregister device`
struct UnregisterDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Unregister this device and all its users from the provider.",
        discussion: """
            The agent does not register it again automatically, not even with a token in its \
            profile; use gatehouse-agent register device. Needs root.

            Example: sudo gatehouse-agent unregister device
            """)

    @OptionGroup var leaving: LeavingOptions

    func run() async throws {
        try await leaving.leave(
            .unregisterDevice,
            losing: "The keys of this device are destroyed, all its users are signed out, and data "
                + "that they sealed here can no longer be opened.")
    }
}

/// `gatehouse-agent unregister user`
struct UnregisterUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Remove your account from this device.",
        discussion: """
            The device and its other users stay registered.

            Example: gatehouse-agent unregister user
            """)

    @OptionGroup var leaving: LeavingOptions

    func run() async throws {
        try await leaving.leave(
            .unregisterUser,
            losing: "You are signed out on this device, your key here is destroyed, and nothing "
                + "that you sealed here opens any more.")
    }
}
