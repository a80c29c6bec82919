// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn
import Synchronization

/// An open request in the extension's process: it can send calls until it has a response.
package final class OpenRequest: Sendable {
    private struct State {
        var isOpen = true
        var isPresented = false
    }

    package let request: ExtensionHostRequest
    private let number: UInt64
    private let link: AgentConnectionEnd
    private let state = Mutex(State())

    init(_ request: ExtensionHostRequest, number: UInt64, link: AgentConnectionEnd) {
        self.request = request
        self.number = number
        self.link = link
    }

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Sends the response. Returns whether it was the first: a request has one, and further ones
    /// are ignored.
    @discardableResult
    package func answer(_ answer: ExtensionResponse) -> Bool {
        guard answer.answers(request.kind) else { return false }
        let isFirst = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        if isFirst, !link.send(.answer(number, answer)) {
            // The response is too long; the agent must not wait for it.
            link.send(.answer(number, .missing(to: request.kind)))
        }
        return isFirst
    }

    // MARK: Calls

    /// Sends a call to the agent and blocks this thread until the response.
    package func call(_ call: ExtensionCall) throws(ExtensionCallRefusal) -> ExtensionCallResponse {
        if let refusal = refusal(of: call) { throw refusal }
        return try checked(link.call(call, in: number), call)
    }

    /// Sends a call to the agent without blocking a thread.
    package func perform(
        _ call: ExtensionCall
    ) async throws(ExtensionCallRefusal) -> ExtensionCallResponse {
        if let refusal = refusal(of: call) { throw refusal }
        let result = await withCheckedContinuation { continuation in
            link.call(call, in: number) { continuation.resume(returning: $0) }
        }
        return try checked(try result.get(), call)
    }

    private func refusal(of call: ExtensionCall) -> ExtensionCallRefusal? {
        let (isOpen, isPresented) = state.withLock { ($0.isOpen, $0.isPresented) }
        guard isOpen else { return .init(.notOpen, "the request has been answered") }
        return call.refusal(in: request, isPresented: isPresented)
    }

    private func checked(
        _ answer: ExtensionCallResponse, _ call: ExtensionCall
    ) throws(ExtensionCallRefusal) -> ExtensionCallResponse {
        guard answer.answers(call) else {
            throw ExtensionCallRefusal(.failed, "the agent answered something else")
        }
        if call.kind == .present { state.withLock { $0.isPresented = true } }
        return answer
    }
}

/// A completion handler that sends one response. If it is released without a response, the agent
/// receives a message that there is none.
package final class OneShotResponder: Sendable {
    private let request: OpenRequest
    private let name: String

    /// - Parameter name: Of the handler, for the warning.
    package init(_ request: OpenRequest, name: String) {
        self.request = request
        self.name = name
    }

    /// Sends the first response; a further one is reported on standard error and ignored.
    package func callAsFunction(_ answer: ExtensionResponse) {
        if !request.answer(answer) {
            ExtensionWarning.write("\(name) was called again; only the first call counts.")
        }
    }

    deinit {
        if request.answer(.missing(to: request.request.kind)) {
            ExtensionWarning.write("\(name) was never called.")
        }
    }
}
