// SPDX-License-Identifier: Apache-2.0

/// Something that serves a software key until it is stopped or has nobody left to serve.
protocol AuthenticatorService: Sendable {
    /// Ends the service; ``ended()`` returns soon after.
    func stop()
    /// Waits until everything that was held is let go of.
    func ended() async
}
