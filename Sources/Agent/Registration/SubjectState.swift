// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

/// The registration of one subject: a device or a person.
package struct SubjectState<Phase: Sendable & Hashable>: Sendable, Hashable {
    package var phase: Phase
    /// Options that the next call has in addition, until a call succeeds.
    package var pending: ExtensionRequestOptions

    package init(_ phase: Phase, pending: ExtensionRequestOptions = []) {
        self.phase = phase
        self.pending = pending
    }
}
