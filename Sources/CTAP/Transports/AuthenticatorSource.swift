// SPDX-License-Identifier: Apache-2.0

/// A source of connected authenticators.
package protocol AuthenticatorSource: Sendable {
    /// All that are there: at once, and again whenever one comes or goes. The stream ends when
    /// nothing will ever change any more.
    func snapshots() -> AsyncStream<[any AuthenticatorDevice]>
}
