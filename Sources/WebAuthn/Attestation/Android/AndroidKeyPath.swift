// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The path of an Android key to one of the root keys, of apps and of passkeys.
///
/// RFC 5280 does not fit: chains of older devices violate it, with authorities without basic
/// constraints and inconsistent path lengths. The checks are those of Google's verifier
/// (android/keyattestation). Each certificate is issued by the next, and the last one by a root
/// key. All but the leaf are valid now, except certificates that the factory installed, because
/// their keys cannot be replaced. The leaf's period is written by the device, whose clock may be
/// wrong. The challenge proves that the key is new.
package struct AndroidKeyPath: Sendable {
    /// The attested certificate first, no root among them.
    private let certificates: [AttestationCertificate]
    private var issuers: ArraySlice<AttestationCertificate> { certificates.dropFirst() }

    package init(_ chain: AttestationChain) { self.init(chain.certificates) }

    init(_ certificates: [AttestationCertificate]) { self.certificates = certificates }

    /// Returns why the path does not lead to one of the keys, or `nil` if it does.
    package func refusal(roots: RootKeys, now: Timestamp) -> String? {
        signatureFault(roots) ?? periodFault(now)
    }

    /// Whether an issuer is itself an attested key. The description nearest the root is the
    /// hardware's, because any holder of an attested key can issue certificates with other
    /// descriptions.
    package var isIssuerAttested: Bool {
        issuers.contains {
            $0.extensionValue(AndroidKeyDescription.extensionIdentifier) != nil
        }
    }

    /// Whether the path leads to one of the anchors that is a certificate of Google's root keys.
    ///
    /// The rule applies to no other anchor, because it does not check whether issuers are
    /// authorities.
    func leadsToGoogle(in anchors: TrustAnchors, now: Timestamp) -> Bool {
        let google = AndroidRootKeys.all.among(anchors)
        return !google.isEmpty && !isIssuerAttested && refusal(roots: google, now: now) == nil
    }

    private func signatureFault(_ roots: RootKeys) -> String? {
        guard zip(certificates, issuers).allSatisfy({ $0.isIssued(by: $1) }) else {
            return "a certificate is not by its issuer"
        }
        // Every device has at least one device-specific key below the root.
        guard let top = issuers.last, roots.haveSigned(top) else {
            return "no root key has signed the chain"
        }
        return nil
    }

    private func periodFault(_ now: Timestamp) -> String? {
        let mayBeExpired = issuers.last.map(Self.isFactoryProvisioned) ?? false
        let isValid = issuers.allSatisfy {
            $0.isValid(at: now) || (mayBeExpired && $0.period.to < now.seconds)
        }
        return isValid ? nil : "an issuer is not valid now"
    }

    /// The certificate below the root is of one batch of devices, which its serial number names.
    private static func isFactoryProvisioned(_ top: AttestationCertificate) -> Bool {
        !top.subjectValues("2.5.4.5").isEmpty
    }
}

/// Google's root keys for Android key attestation: the RSA key whose certificates are named `f92009e853b6b045`
/// (2016 to 2042), and "Key Attestation CA1" of 2025, P-384.
package enum AndroidRootKeys {
    package static let all = RootKeys(base64: [rsa, p384])

    private static let p384 = """
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE
        I9ojcU7fPlsFCjxy6IRqzgeOoK0b+YsV9FPQywiyw8EQRTkJ9u3qwfnI4DGoSLlBqClTXJfgfCcZ
        vs60FikNMHnu4fkRzObfgDkU2KNXezT9/RQ+XvNslxPHrHCowhGr
        """
    private static let rsa = """
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
}
