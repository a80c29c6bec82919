// SPDX-License-Identifier: Apache-2.0
package import SingleSignOn

/// A phase, and what the next call must say besides: it is kept until a call succeeds.
package struct DeviceRegistrationState: Sendable, Hashable {
    package var phase: DevicePhase
    package var pending: ExtensionRequestOptions = []

    package init(_ phase: DevicePhase, pending: ExtensionRequestOptions = []) {
        self.phase = phase
        self.pending = pending
    }
}
