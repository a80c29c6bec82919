// SPDX-License-Identifier: Apache-2.0
package import ProviderCore
import Synchronization

/// A fake of all outgoing requests of the provider, with scripted responses and a record of the
/// requests.
package final class ScriptedHTTP: OutgoingHTTP {
    package typealias Answering =
        @Sendable (OutgoingRequest) throws(OutgoingHTTPError) -> OutgoingResponse

    private struct State {
        var answering: Answering
        var requests: [OutgoingRequest] = []
    }

    private let state: Mutex<State>

    package init(
        _ answering: @escaping Answering = { _ throws(OutgoingHTTPError) in
            throw OutgoingHTTPError(.unreachable, "there is no host")
        }
    ) {
        state = Mutex(State(answering: answering))
    }

    /// From now on.
    package func answer(_ answering: @escaping Answering) {
        state.withLock { $0.answering = answering }
    }

    package var requests: [OutgoingRequest] { state.withLock { $0.requests } }

    package func send(
        _ request: OutgoingRequest
    ) async throws(OutgoingHTTPError) -> OutgoingResponse {
        let answering = state.withLock { state in
            state.requests.append(request)
            return state.answering
        }
        return try answering(request)
    }
}
