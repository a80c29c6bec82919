// SPDX-License-Identifier: Apache-2.0
import Agent
import AgentClient
import JOSE

extension FuzzTarget {
    /// What a login program asks of the agent, and what it is told: the same after it was written and
    /// read again.
    static let admission = FuzzTarget(name: "admission") { bytes in
        guard let object = try? JSONParser.parseObject(bytes, maximumBytes: 65_536) else { return }
        if let request = AdmissionRequest(.object(object)) {
            precondition(AdmissionRequest(request.json) == request, "a request changes")
        }
        if let answer = AdmissionResponse(.object(object)) {
            precondition(AdmissionResponse(answer.json) == answer, "an answer changes")
        }
    }

    /// Requests and replies on the agent's socket, and the machine in its state file: what is read is
    /// the same after it was written and read again.
    static let agentMessage = FuzzTarget(name: "agent-message") { bytes in
        guard let object = try? JSONParser.parseObject(bytes, maximumBytes: 262_144) else { return }
        if let request = AgentRequest(object) {
            precondition(AgentRequest(request.json) == request)
            if let asked = AppRequest(request.content) {
                precondition(AppRequest(asked.json) == asked)
            }
        }
        if let reply = AgentResponse(object) { precondition(AgentResponse(reply.json) == reply) }
        if let status = AgentStatus(.object(object)) {
            precondition(AgentStatus(status.json) == status)
        }
        if let machine = try? RegistrationStateMachine(object) {
            precondition(
                (machine.json.object.flatMap { try? RegistrationStateMachine($0) }) == machine)
        }
    }
}
