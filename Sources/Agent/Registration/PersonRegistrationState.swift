// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

/// As ``DeviceRegistrationState``, of a person.
package struct PersonRegistrationState: Sendable, Hashable {
    package var phase: PersonPhase
    package var pending: ExtensionRequestOptions = []

    package init(_ phase: PersonPhase, pending: ExtensionRequestOptions = []) {
        self.phase = phase
        self.pending = pending
    }
}
