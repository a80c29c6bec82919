// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import WebAuthn

/// The certificates from `attestKey(ofType:clientDataHash:)` of a Platform SSO login manager: the
/// key's own first, DER.
package struct UnverifiedAppleDevice: Sendable {
    package let certificates: [[UInt8]]

    package init(certificates: [[UInt8]]) { self.certificates = certificates }
}

/// A verifier of Apple's managed device attestation of a Platform SSO key: a certificate that Apple
/// issued for this key on a managed device (Apple, "Managed Device Attestation").
///
/// The challenge is `clientDataHash`, which the certificate contains as the freshness code. The
/// package has no root for it: the operator configures "Apple Enterprise Attestation Root CA".
package struct AppleDeviceVerifier: AttestationVerifier {
    package let roots: RootKeys
    /// The devices that may register, by normalized serial number; `nil` for any. A certificate
    /// contains its device only if the management profile allows it
    /// (`AllowDeviceIdentifiersInAttestation`), so with a list all others are refused.
    package let serialNumbers: Set<String>?
    /// Likewise, by UDID.
    package let deviceIdentifiers: Set<String>?

    package init(
        roots: RootKeys, serialNumbers: Set<String>? = nil, deviceIdentifiers: Set<String>? = nil
    ) {
        self.roots = roots
        self.serialNumbers = serialNumbers.map { Set($0.map(SerialNumber.compared)) }
        self.deviceIdentifiers = deviceIdentifiers
    }

    private enum Field: String {
        case serialNumber = "1.2.840.113635.100.8.9.1"
        case deviceIdentifier = "1.2.840.113635.100.8.9.2"
        case freshness = "1.2.840.113635.100.8.11.1"
    }

    package func check(
        _ evidence: UnverifiedAppleDevice, expecting expectation: AttestationExpectation
    ) async throws(AttestationRefusal) -> VerifiedAppleDevice {
        // 1: the certificates lead to Apple's root.
        let chain = try AttestationChain.read(evidence.certificates)
        if let reason = await chain.refusal(roots: roots, now: expectation.now) {
            throw AttestationRefusal(.chainUntrusted, reason)
        }
        // 2: for this challenge. The extension contains the bytes themselves, not ASN.1.
        guard let freshness = chain.leaf.extensionValue(Field.freshness.rawValue) else {
            throw AttestationRefusal(.extensionMissing, "no freshness code")
        }
        try expectation.requireChallenge(freshness, "the freshness code")
        // 3: of this key.
        guard let key = chain.leaf.publicKey else {
            throw AttestationRefusal(.keyMismatch, "no key that can be registered")
        }
        try expectation.requireKey(key)
        // 4: on an accepted device.
        return VerifiedAppleDevice(
            key: key, serialNumber: try device(.serialNumber, of: chain.leaf, among: serialNumbers),
            deviceIdentifier: try device(
                .deviceIdentifier, of: chain.leaf, among: deviceIdentifiers))
    }

    private func device(
        _ field: Field, of leaf: AttestationCertificate, among allowed: Set<String>?
    ) throws(AttestationRefusal) -> String? {
        var name: String?
        if let value = leaf.extensionValue(field.rawValue) {
            guard let text = String(validating: value, as: UTF8.self), !text.isEmpty else {
                throw AttestationRefusal(.extensionMalformed, "\(field) is not a text")
            }
            name = text
        }
        guard let allowed else { return name }
        let compared = field == .serialNumber ? name.map(SerialNumber.compared) : name
        guard let compared, allowed.contains(compared) else {
            throw AttestationRefusal(
                .deviceIdentifierMismatch, "\(field) \(name ?? "is missing")")
        }
        return name
    }
}

/// A key on a managed device with a verified attestation by Apple. Only the verifier creates one.
package struct VerifiedAppleDevice: Sendable {
    package let key: PublicJWK
    /// `nil` if the certificate does not contain it.
    package let serialNumber: String?
    /// The UDID; `nil` if the certificate does not contain it.
    package let deviceIdentifier: String?

    fileprivate init(key: PublicJWK, serialNumber: String?, deviceIdentifier: String?) {
        self.key = key
        self.serialNumber = serialNumber
        self.deviceIdentifier = deviceIdentifier
    }
}
