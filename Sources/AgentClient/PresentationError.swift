// SPDX-License-Identifier: Apache-2.0

/// Why an extension gets no answer.
package enum PresentationError: Error, Sendable, Equatable {
    /// Nothing may be shown in this call.
    case notAllowed
    /// The person gave up, or has gone.
    case cancelled
    /// The call has ended or was abandoned.
    case callOver
}
