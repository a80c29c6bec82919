// SPDX-License-Identifier: Apache-2.0

/// One authenticator that is always there.
package struct SingleAuthenticator: AuthenticatorSource {
    let device: any AuthenticatorDevice

    package init(device: any AuthenticatorDevice) { self.device = device }

    package func snapshots() -> AsyncStream<[any AuthenticatorDevice]> {
        AsyncStream { $0.yield([device]) }
    }
}
