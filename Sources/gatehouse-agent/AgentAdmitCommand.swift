import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import ArgumentParser
import CommandLineSupport
import JOSE
import Platform
import Primitives

extension AdmissionPoint: ExpressibleByArgument {}

/// `gatehouse-agent admit`
struct AgentAdmitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admit",
        abstract: "Decide on a local login by the policies of the profile.",
        discussion: """
            Reads the password from standard input, as pam_exec sends it, or prompts for it. Exit \
            code 0 lets in. Needs root. The person is --account, or PAM_USER.

            Examples, the second for /etc/pam.d:

              sudo gatehouse-agent admit unlock --account anna --local right
              auth required pam_exec.so expose_authtok quiet /usr/local/bin/gatehouse-agent admit login
            """)

    enum Local: String, ExpressibleByArgument, CaseIterable, Sendable {
        case right, wrong
    }

    private static let found: [Local: Admission.LocalPassword] = [.right: .right, .wrong: .wrong]

    @OptionGroup var agent: AgentOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "Where: disk, login or unlock.")
    var place: AdmissionPoint
    @Option(help: "Result of the comparison with the local password: right or wrong.")
    var local: Local?
    @Flag(help: "A finger or a face was seen that belongs to the person.")
    var presence = false

    func run() async throws {
        var agent = agent
        agent.account = agent.account ?? ProcessEnvironment.all["PAM_USER"]
        var request = AdmissionRequest(place, isPresent: presence)
        request.local = local.map { Self.found[$0] ?? .wrong } ?? .unchecked
        request.password = try await password(
            of: agent.account ?? SystemAccount(id: SystemAccount.effectiveUser)?.name ?? "")
        let value = try await agent.send(.admit, content: request.json)
        if output.json { print(value.text) }
        guard let answer = AdmissionResponse(value) else {
            throw CommandError("the response of the agent is not valid")
        }
        guard case .admitted = answer else { throw CommandError(Self.sentence(answer)) }
    }

    private static let greatestPassword = 1024

    /// `nil` when nothing was typed. pam_exec ends it with a zero, others with their line.
    private func password(of name: String) async throws -> Secret? {
        guard !StandardInput.isTerminal else { return await PasswordPrompt.signIn(name).ask() }
        let data = try Descriptor.standardInput.readAll(limit: Self.greatestPassword)
        guard data.count <= Self.greatestPassword else {
            throw CommandError("the input is not a password", code: .badInput)
        }
        var bytes = Array(data.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") })
        return bytes.isEmpty ? nil : Secret(wiping: &bytes)
    }

    private static func sentence(_ answer: AdmissionResponse) -> String {
        switch answer {
        case .admitted: "admitted"
        case .checkLocalPassword: "the local password decides; report its result with --local"
        case .passwordNeeded: "the provider decides, and needs the password"
        case .refused(let refusal): sentence(refusal)
        }
    }

    private static func sentence(_ refusal: AdmissionRefusal) -> String {
        switch refusal {
        case .wrongPassword: "the password is wrong"
        case .providerNeeded: "the provider must verify the password, and does not respond"
        case .offlineGraceOver: "the offline grace period is expired"
        case .loginOwed: "after a wrong password, the provider must verify the password"
        case .registrationNeeded: "the account must be registered: gatehouse-agent register user"
        case .authenticationGraceOver: "the grace period for registration is expired"
        case .presenceNeeded: "user verification (fingerprint or face) is also required"
        case .clockSetBack: "the clock was set back; the provider must verify the password"
        }
    }
}
