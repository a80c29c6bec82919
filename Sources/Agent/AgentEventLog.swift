// SPDX-License-Identifier: Apache-2.0

/// The messages of the agent without a waiting person; each becomes a line of its log.
package protocol AgentEventLog: Sendable {
    func prompt(_ subject: RegistrationSubject)
    func signInDue(_ person: String, _ reason: SignInSchedule.Reason)
    func registrationFailed(_ subject: RegistrationSubject, _ reason: String)
    func failed(_ what: String, _ error: any Error)
}
