// SPDX-License-Identifier: Apache-2.0
package import PIN

/// Opens PINs that earlier versions of the SDK stored, so that their people need not register again.
///
/// The product `GatehousePINVersion1` has the only value, `.version1`. It links libargon2. Without it
/// a profile with such a PIN throws ``IdentityError/Code/pinOutdated``: have the
/// person register again, for example in a browser. Profile and account stay.
public struct EarlierPINs: Sendable {
    let stretching: any PINVersion1Stretching

    package init(_ stretching: any PINVersion1Stretching) { self.stretching = stretching }
}
