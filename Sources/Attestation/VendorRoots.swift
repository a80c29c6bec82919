// SPDX-License-Identifier: Apache-2.0
import Primitives
package import WebAuthn

/// Root keys that come with the package. Each is here because a chain of a real device that we
/// test with leads to it: see `AppAttestVectorTests` and `AndroidKeyVectorTests`. Whoever distrusts
/// one names their own.
package enum VendorRoots {
    /// Apple App Attestation Root CA, P-384, 2020 to 2045.
    package static let appAttest = roots(p384 + appAttestPoint)

    /// Apple Root CA - G3, P-384, 2014 to 2039: it certifies who signs receipts of App Attest, and
    /// others besides.
    package static let appleReceipts = roots(p384 + appleG3Point)

    /// Google's for Android key attestation: the RSA key whose certificates are named
    /// `f92009e853b6b045` (2016 to 2042), and "Key Attestation CA1" of 2025, P-384.
    package static let androidKey = roots(androidRSA, p384 + androidPoint)

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
    private static let androidPoint = """
        I9ojcU7fPlsFCjxy6IRqzgeOoK0b+YsV9FPQywiyw8EQRTkJ9u3qwfnI4DGoSLlBqClTXJfgfCcZ
        vs60FikNMHnu4fkRzObfgDkU2KNXezT9/RQ+XvNslxPHrHCowhGr
        """
    private static let androidRSA = """
        MIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEAr7bHgiuxpwHsK7Qui8xUFmOr75gvMsd/
        dTEDDJdSSxtf6An7xyqpRR90PL2abxM1dEqlXnf2tqw1Ne4Xwl5jlRfdnJLmN0pTy/4lj4/7tv0S
        k3iiKkypnEUtR6WfMgH0QZfKHM1+di+y9TFRtv6y//0rb+T+W8a9nsNL/ggjnar86461qO0rOs2c
        Xjp3kOG1FEJ5MVmFmBGtnrKpa73XpXyTqRxB/M0n1n/W9nGqC4FSYa04T6N5RIZGBN2z2MT5IKGb
        FlbC8UrW0DxW7AYImQQcHtGl/m00QLVWutHQoVJYnFPlXTcHYvASLu+RhhsbDmxMgJJ0mcDpvsC4
        PjvB+TxywElgS70vE0XmLD+OJtvsBslHZvPBKCOdT0MS+tgSOIfga+z1Z1g7+DVagf7quvmag8jf
        PioyKvxnK/EgsTUVi2ghzq8wm27ud/mIM7AY2qEORR8Go3TVB4HzWQgpZrt3i5MIlCaY504LzSRi
        igHCzAPlHws+W0rB5N+er5/2pJKnfBSDiCiFAVtCLOZ7gLiMm0jhO2B6tUXHI/+MRPjy02i59lIN
        MRRev56GKtcd9qO/0kUJWdZTdA2XoS82ixPvZtXQpUpuL12ab+9EaDK8Z4RHJYYfCT3Q5vNAXaiW
        Q+8PTWm2QgBR/bkwSWc+NpUFgNPN9PvQi8WEg5UmAGMCAwEAAQ==
        """

    /// A literal that does not spell a key leaves no root, so that nothing is trusted.
    private static func roots(_ texts: String...) -> RootKeys {
        let keys = texts.compactMap { Base64.decode($0, skippingWhitespace: true) }
        return (try? RootKeys(der: keys)) ?? .none
    }
}
