// SPDX-License-Identifier: Apache-2.0
import Primitives
package import SingleSignOn

/// The reason why an extension gave no response. The request then continues without it, or is
/// repeated later.
package struct ExtensionError: CodedError {
    package enum Code: String, Sendable, CaseIterable {
        /// The installation is not valid; see the ``ExtensionTrustRefusal``.
        case refused
        case cannotStart = "cannot_start"
        /// It did not send that it is ready, or uses another version.
        case notReady = "not_ready"
        /// Its manifest does not contain the requested capability, or its handler has no such
        /// methods.
        case notCapable = "not_capable"
        case crashed
        case timedOut = "timed_out"
        /// It sent an invalid message.
        case violation
        /// The caller has cancelled the request.
        case canceled
        /// The number of concurrent requests exceeds the limit.
        case overloaded
        /// It crashed too often and is not started until the end of a pause.
        case resting
        /// The agent has unloaded it.
        case unloaded
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// An event of an extension's process, for the agent's log.
package enum ExtensionEvent: Sendable, Equatable {
    case started(pid: Int32)
    case ready(ExtensionDescription)
    /// The end, as `waitpid` reports it: the exit code, or 128 plus the signal.
    case ended(status: Int32, isExpected: Bool)
    /// It was unused for some time.
    case idle
    case timedOut(ExtensionHostRequest.Kind)
    case violation(String)
    /// A response to a request that was completed before, or cancelled.
    case lateAnswer(UInt64)
    /// A call that the rules refused.
    case refusedCall(ExtensionCall.Kind, ExtensionCallRefusal.Code)
}
