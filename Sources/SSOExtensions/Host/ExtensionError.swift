// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

/// Why an extension gave no answer. The request then goes its ordinary way, or is tried later.
package struct ExtensionError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// Not installed as it should be; see the ``ExtensionTrustRefusal``.
        case refused
        case cannotStart = "cannot_start"
        /// It did not say that it is ready, or speaks another version.
        case notReady = "not_ready"
        /// Its manifest does not name what it was asked, or its handler has no such methods.
        case notCapable = "not_capable"
        case crashed
        case timedOut = "timed_out"
        /// It said what no extension says.
        case violation
        /// Whoever asked does not wait any longer.
        case canceled
        /// More requests at once than are passed on.
        case overloaded
        /// It ended too often; it is not started for a while.
        case resting
        /// The agent unloads it.
        case unloaded
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(reason)" }

    package static func == (left: ExtensionError, right: ExtensionError) -> Bool {
        left.code == right.code
    }
}

/// What happens to an extension's process, for the agent's log.
package enum ExtensionEvent: Sendable, Equatable {
    case started(pid: Int32)
    case ready(ExtensionDescription)
    /// The end, as `waitpid` tells it: the exit code, or 128 and the signal.
    case ended(status: Int32, isExpected: Bool)
    /// Nothing was asked of it for a while.
    case idle
    case timedOut(ExtensionHostRequest.Kind)
    case violation(String)
    /// An answer to what was answered before, or given up.
    case lateAnswer(UInt64)
    /// A call that was refused by the rules.
    case refusedCall(ExtensionCall.Kind, ExtensionCallRefusal.Code)
}
