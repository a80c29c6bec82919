// SPDX-License-Identifier: Apache-2.0

/// A service that connects clients with a software key until it is stopped or its last client
/// disconnects.
protocol AuthenticatorService: Sendable {
    /// Ends the service; ``waitForEnd()`` returns soon after.
    func stop()
    /// Waits until all resources are released.
    func waitForEnd() async
}
