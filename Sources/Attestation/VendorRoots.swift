// SPDX-License-Identifier: Apache-2.0
package import WebAuthn

/// The root keys of the package. A chain of a real device in the tests leads to each: see
/// `AppAttestVectorTests` and `AndroidKeyVectorTests`. An operator can replace them.
package enum VendorRoots {
    /// Apple App Attestation Root CA, P-384, 2020 to 2045.
    package static let appAttest = RootKeys(base64: [p384 + appAttestPoint])

    /// Apple Root CA - G3, P-384, 2014 to 2039: it certifies the signers of App Attest receipts,
    /// among others.
    package static let appleReceipts = RootKeys(base64: [p384 + appleG3Point])

    /// Google's root keys for Android key attestation.
    package static let androidKey = AndroidRootKeys.all

    /// `SubjectPublicKeyInfo` of a key on P-384, up to the coordinates: 24 bytes.
    private static let p384 = "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE"

    private static let appAttestPoint = """
        RTHhmLW07ATaFQIEVwTtT4dyctdhNbJhFs/Ii2FdCgAHGbpphY3+d8qjuDngIN3WVhQUBHAoMeQ/
        cLiP1sOUtgjqK9auYen1mMEvRq9Sk3Jm5X8U62H+xTD3FE9TgS41
        """
    private static let appleG3Point = """
        mOkvPUBypO2TInKBExzdEJXxxaNOcdwUFtkO5aYFKndke19OONO7HES1f/UftjJiXcnphFtPME8R
        WgD9WFgMpfUPLE0HRxN12peXl28xXO0rnXsgO9i5VNlemaQ6UQox
        """
}
