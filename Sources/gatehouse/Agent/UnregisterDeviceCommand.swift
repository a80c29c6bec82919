// SPDX-License-Identifier: Apache-2.0
import Agent
import ArgumentParser
import Platform

/// Options of the commands that unregister a device or a person.
struct LeavingOptions: ParsableArguments {
    @OptionGroup var agent: AgentOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Only here: for a provider that cannot be reached any more.")
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

/// `gatehouse unregister device`
struct UnregisterDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Take this machine off its provider, and everybody on it.",
        discussion: """
            It does not register again by itself, not even with a token in its profile: \
            gatehouse register device does. Needs root.

            Example: sudo gatehouse unregister device
            """)

    @OptionGroup var leaving: LeavingOptions

    func run() async throws {
        try await leaving.leave(
            .unregisterDevice,
            losing: "The machine's keys are destroyed, everybody on it is signed out, and nothing "
                + "that they sealed here opens any more.")
    }
}

/// `gatehouse unregister user`
struct UnregisterUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Remove your account from this device.",
        discussion: """
            The machine stays registered, and so do others on it.

            Example: gatehouse unregister user
            """)

    @OptionGroup var leaving: LeavingOptions

    func run() async throws {
        try await leaving.leave(
            .unregisterUser,
            losing: "You are signed out on this machine, your key here is destroyed, and nothing "
                + "that you sealed here opens any more.")
    }
}
