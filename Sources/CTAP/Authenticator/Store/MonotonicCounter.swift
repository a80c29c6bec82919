// SPDX-License-Identifier: Apache-2.0

/// A number in hardware that only rises. It distinguishes an old copy of a store from the latest.
package protocol MonotonicCounter: Sendable {
    func value() throws(AuthenticatorStoreError) -> UInt64
    func increment() throws(AuthenticatorStoreError)
}
