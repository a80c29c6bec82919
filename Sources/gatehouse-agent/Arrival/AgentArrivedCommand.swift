import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import ArgumentParser
import CommandLineSupport
import JOSE
import Platform

/// `gatehouse-agent arrived`
struct AgentArrivedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "arrived",
        abstract: "Report a session start to the agent, and show its requests.",
        discussion: """
            Prints one line if the person has to register or to sign in, now or soon, and \
            otherwise nothing. It does not delay or end a session: it takes at most three seconds, \
            twenty with --desktop, and always exits with 0. The user is PAM_USER, or the one that \
            runs it; system accounts (below 1000, and 60514 to 65535) get no request.

            Examples, the second for /etc/pam.d/login and sshd:

              gatehouse-agent arrived
              session optional pam_exec.so type=open_session quiet stdout /usr/local/bin/gatehouse-agent arrived
              gatehouse-agent arrived --desktop
            """)

    @OptionGroup var agent: AgentOptions
    @OptionGroup var output: OutputOptions
    @Flag(help: "Show a notification of the desktop; on a terminal, where there is none, the line.")
    var desktop = false

    private static let patience = (agent: Duration.seconds(3), desktop: Duration.seconds(17))

    func run() async throws {
        let report = await report()
        if output.json { print(report.json.text) }
        guard let text = report.text else { return printOutcome(report) }
        guard desktop else {
            if !output.json { print(text.line) }
            return
        }
        let outcome = await Deadline.run(Self.patience.desktop) {
            await DesktopNotification().show(text.sentence, text.body)
        }
        guard outcome != .shown, !output.json, StandardOutput.isTerminal else { return }
        print(text.line)
    }

    /// Reports to a person who runs the command in a terminal that there is no request. A session
    /// start receives no text.
    private func printOutcome(_ report: ArrivalReport) {
        guard StandardError.isTerminal, !output.json else { return }
        let environment = ProcessEnvironment.all
        let isAsked = SessionUser(named: agent.account, environment: environment) != nil
        StandardError.print(
            report.isTold
                ? "No action is required."
                : isAsked
                    ? "The agent does not respond: gatehouse-agent status"
                    : "System accounts such as root get no requests. Use --account to name a "
                        + "person.")
    }

    private func report() async -> ArrivalReport {
        let (named, socket) = (agent.account, AgentOptions.socketPath(agent.socket))
        let answer = await Deadline.run(Self.patience.agent) {
            // A directory of people may be far away.
            let environment = ProcessEnvironment.all
            let found = try? await BlockingCall.run {
                SessionUser(named: named, environment: environment)
            }
            guard let visitor = found ?? nil else { return nil as (AgentStatus, String)? }
            let request = AgentRequest(.arrived, account: visitor.account)
            guard let value = try? await AgentSocketClient(path: socket).send(request),
                let status = AgentStatus(value)
            else { return nil }
            return (
                status, visitor.account ?? AgentCaller.name(of: SystemAccount.effectiveUser) ?? ""
            )
        }
        guard let (status, account) = answer else {
            return ArrivalReport(isTold: false, advice: nil, text: nil)
        }
        let advice = SessionStartAdvice(status, account: account)
        return ArrivalReport(
            isTold: true, advice: advice, text: advice.map { ArrivalText($0, now: status.now) })
    }
}
