// SPDX-License-Identifier: Apache-2.0

/// A source with a constant list of authenticators: configured device paths, and tests.
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
