// SPDX-License-Identifier: Apache-2.0
public import GatehouseClient
import PINVersion1

extension EarlierPINs {
    /// Opens the PINs that version 1 of the protocol sealed: SDKs up to 0.2. At the next right PIN each
    /// is replaced by the same PIN in version 2. This links libargon2.
    public static var version1: EarlierPINs { EarlierPINs(Argon2PINStretching()) }
}
