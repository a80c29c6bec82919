// SPDX-License-Identifier: Apache-2.0
package import PIN

/// Opens PINs that earlier versions of the SDK stored, so that their people need not register again.
///
/// The product `GatehousePINVersion1` has the only value, `.version1`. It links libargon2. Without it
/// a profile with such a PIN throws ``IdentityError/Code/pinOutdated``: remove the
/// profile and have the person register again. The account stays.
public struct EarlierPINs: Sendable {
    let stretching: any PINVersion1Stretching

    package init(_ stretching: any PINVersion1Stretching) { self.stretching = stretching }
}
