// SPDX-License-Identifier: Apache-2.0
public import GatehouseClient
import PINVersion1

extension EarlierPINs {
    /// Opens the PINs that versions of the SDK before 0.9 stored. At the next right PIN each is replaced by the
    /// same PIN in version 2 of the protocol. This needs libargon2.
    ///
    /// ```swift
    /// let client = try IdentityClient(
    ///     configuration: configuration, store: store, keys: keys, earlierPINs: .version1)
    /// ```
    public static var version1: EarlierPINs { EarlierPINs(Argon2PINStretching()) }
}
