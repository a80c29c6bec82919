// SPDX-License-Identifier: Apache-2.0

/// A software key while it is served.
package struct ServedSecurityKey: Sendable {
    /// The device path of a pty, or the socket's.
    package let path: String?
    let service: any AuthenticatorService

    /// Ends the service. The store remains open as long as the authenticator exists.
    package func stop() { service.stop() }

    /// Waits for the end of the service.
    package func waitForEnd() async { await service.waitForEnd() }
}
