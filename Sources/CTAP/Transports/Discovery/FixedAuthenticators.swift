// SPDX-License-Identifier: Apache-2.0

/// Always the same authenticators: device paths that were given by hand, and tests.
package struct FixedAuthenticators: AuthenticatorSource {
    private let devices: [any AuthenticatorDevice]

    package init(_ devices: [any AuthenticatorDevice]) { self.devices = devices }

    package func snapshots() -> AsyncStream<[any AuthenticatorDevice]> {
        AsyncStream {
            $0.yield(devices)
            $0.finish()
        }
    }
}
