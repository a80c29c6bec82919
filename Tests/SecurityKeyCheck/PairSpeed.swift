// SPDX-License-Identifier: Apache-2.0
import AuthenticatorSupport
import CTAP
import Primitives

/// Registers and signs in again and again over a socket pair, with a relying party that verifies
/// what comes out.
enum PairSpeed {
    /// Prints `{"pairs": COUNT, "seconds": …}`.
    ///
    /// - Parameter apart: Whether the relying party works where tasks do. Else it is on the thread
    ///   that waits for the key, as python-fido2's is: ceremonies then begin and end without a
    ///   change of threads.
    static func measure(_ count: Int, apart: Bool) async throws {
        let pair = try await SocketPair(
            interaction: Unattended(), clock: SystemWallClock(), random: SystemRandomSource())
        let site = Site(verifiesPeople: false)
        try await ceremonies(pair, site)
        let clock = ContinuousClock()
        let start = clock.now
        try await withTaskExecutorPreference(apart ? nil : pair.thread.tasks) {
            for _ in 0..<count { try await ceremonies(pair, site) }
        }
        LineOutput.say("{\"pairs\": \(count), \"seconds\": \((clock.now - start) / .seconds(1))}")
        await pair.close()
    }

    private static func ceremonies(_ pair: SocketPair, _ site: Site) async throws {
        let registered = try await site.register(pair.client)
        try await site.signIn(pair.client, registered.credential)
    }
}
