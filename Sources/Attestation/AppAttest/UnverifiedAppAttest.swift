// SPDX-License-Identifier: Apache-2.0
import CBOR
package import WebAuthn

/// The result of `DCAppAttestService.attestKey`, decoded but not verified (Apple, "Validating Apps
/// That Connect to Your Server"): a WebAuthn attestation object with a specific format.
package struct UnverifiedAppAttest: Sendable {
    /// The identifier that the app states for its key: SHA-256 of the key, 32 bytes in a valid
    /// message.
    package let keyIdentifier: [UInt8]
    package let object: AttestationObject
    /// `x5c`, DER.
    package let certificates: [[UInt8]]
    /// `receipt`, PKCS #7.
    package let receipt: [UInt8]

    static let format = "apple-appattest"

    /// - Parameter attestation: CBOR in CTAP2's form, at most 64 KiB.
    package init(
        attestation: [UInt8], keyIdentifier: [UInt8]
    ) throws(AttestationRefusal) {
        do { object = try AttestationObject(cbor: attestation) } catch {
            throw AttestationRefusal(.evidenceMalformed, "no attestation object: \(error)")
        }
        guard object.format == Self.format else {
            throw AttestationRefusal(.formatUnsupported, "fmt is not \(Self.format)")
        }
        guard let items = object.statement["x5c"]?.items,
            let receipt = object.statement["receipt"]?.byteString
        else {
            throw AttestationRefusal(.evidenceMalformed, "attStmt has no x5c or no receipt")
        }
        certificates = items.compactMap(\.byteString).map { Array($0) }
        // Apple sends the attested certificate and its issuer.
        guard items.count == 2, certificates.count == 2 else {
            throw AttestationRefusal(.evidenceMalformed, "x5c does not contain two certificates")
        }
        self.receipt = Array(receipt)
        self.keyIdentifier = keyIdentifier
    }
}

/// The result of `DCAppAttestService.generateAssertion`, with the signed client data.
package struct UnverifiedAppAttestAssertion: Sendable {
    /// ECDSA in DER.
    package let signature: ArraySlice<UInt8>
    /// The signed bytes. Their flags state attached credential data, which is absent, so they are
    /// not decoded as WebAuthn's.
    package let authenticatorData: ArraySlice<UInt8>
    /// SHA-256 of the App ID, 32 bytes.
    package let applicationHash: ArraySlice<UInt8>
    package let counter: UInt32
    /// In the app's form; its hash is signed.
    package let clientData: [UInt8]

    /// Canonical except for the order of the two members, which Apple does not specify.
    private static let profile: CBORProfile = {
        var profile = CBORProfile.ctap2
        profile.requiresSortedKeys = false
        profile.maximumSize = 4096
        return profile
    }()

    /// - Parameter assertion: CBOR, at most 4 KiB.
    package init(assertion: [UInt8], clientData: [UInt8]) throws(AttestationRefusal) {
        let value: CBORValue
        do { value = try CBORValue.decode(assertion, profile: Self.profile) } catch {
            throw AttestationRefusal(.evidenceMalformed, "no CBOR: \(error)")
        }
        guard value.entries?.count == 2, let signature = value["signature"]?.byteString,
            let data = value["authenticatorData"]?.byteString
        else {
            throw AttestationRefusal(
                .evidenceMalformed, "not a signature and authenticator data")
        }
        // Hash, flags and counter. Additional bytes of newer systems are signed as well.
        guard data.count >= 37 else {
            throw AttestationRefusal(.evidenceMalformed, "the authenticator data are cut short")
        }
        authenticatorData = data
        applicationHash = data.prefix(32)
        counter = data.dropFirst(33).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        self.signature = signature
        self.clientData = clientData
    }
}
