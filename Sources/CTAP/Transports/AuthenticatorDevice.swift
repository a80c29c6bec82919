// SPDX-License-Identifier: Apache-2.0

/// An authenticator that can be opened.
package protocol AuthenticatorDevice: Sendable {
    var description: AuthenticatorDescription { get }

    func open() async throws(TransportError) -> any AuthenticatorTransport
}
