// SPDX-License-Identifier: Apache-2.0
import Primitives
import ProviderCore
import Storage
import Synchronization

/// What the operator's pushing service would have been told to send to one installation.
public struct SentPush: Sendable, Hashable {
    /// What is asked, as `ApprovalRequest.id` has it.
    public let approvalID: String
    /// The person of the request.
    public let userID: String
    /// What the app gave when it enrolled.
    public let pushToken: String
}

extension InProcessProvider {
    /// Every push so far, in order.
    public var sentPushes: [SentPush] { pushSender.sent }

    /// Pushes from now on, as they come: say `client.approvals.received()` to each.
    public func pushes() -> AsyncStream<SentPush> { pushSender.stream() }
}

/// A replacement for a push service.
final class RecordingPushSender: PushSender {
    private struct State {
        var sent: [SentPush] = []
        var readers: [AsyncStream<SentPush>.Continuation] = []
    }

    private let state = Mutex(State())

    var sent: [SentPush] { state.withLock { $0.sent } }

    func stream() -> AsyncStream<SentPush> {
        let (stream, continuation) = AsyncStream<SentPush>.makeStream()
        state.withLock { $0.readers.append(continuation) }
        return stream
    }

    func send(_ notice: PushNotification, for tenant: Tenant, of provider: Provider) async {
        let pushes = notice.targets.map { target in
            SentPush(
                approvalID: notice.approval.description, userID: notice.person.description,
                pushToken: target.token)
        }
        state.withLock { state in
            state.sent += pushes
            for reader in state.readers { for push in pushes { reader.yield(push) } }
        }
    }
}
