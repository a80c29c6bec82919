// SPDX-License-Identifier: Apache-2.0

/// A source of connected authenticators.
package protocol AuthenticatorSource: Sendable {
    /// Returns a stream of all connected authenticators: their list at once, and again after each
    /// change. The stream ends if no change is possible.
    func snapshots() -> AsyncStream<[any AuthenticatorDevice]>
}
