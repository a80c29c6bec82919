// SPDX-License-Identifier: Apache-2.0
import Primitives

/// `authenticatorSelection` and `authenticatorReset` (CTAP 2.1 sections 6.9 and 6.6).
extension SoftwareAuthenticator {
    func select() async throws(CTAPStatus) -> [UInt8] {
        try await confirmPresence(.select)
        return []
    }

    /// Destroys everything but attestation, soon after power-up only, and after a touch whose
    /// prompt says so.
    func reset() async throws(CTAPStatus) -> [UInt8] {
        if let window = configuration.resetWindow, clock.now - session.poweredUp > window {
            throw .notAllowed
        }
        try await confirmPresence(.reset(longTouch: state.longTouchForReset))
        let fresh = state.afterReset(random: random)
        try commit { $0 = fresh }
        session = AuthenticatorSession(random: random, poweredUp: session.poweredUp)
        return []
    }
}
