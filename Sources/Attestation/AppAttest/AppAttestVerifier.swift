// SPDX-License-Identifier: Apache-2.0
import Crypto
package import JOSE
package import WebAuthn

/// Verifies App Attest attestations: a key in the Secure Enclave, made by this app on a genuine
/// device (Apple, "Validating Apps That Connect to Your Server", steps 1 to 8 of "Verify the
/// attestation").
///
/// The challenge is `clientDataHash` as the app handed it to `attestKey`.
package struct AppAttestVerifier: AttestationVerifier {
    /// Apps that may register: App IDs, `TEAMID.bundle.id`.
    package let applications: [String]
    package let environment: AppAttestEnvironment
    package let roots: RootKeys
    /// Whether the receipt must be signed by Apple, recent, and part of this attestation. It
    /// contains the risk metric after a refresh with Apple; the attestation is valid without it.
    package let checksReceipt: Bool
    /// The root keys of a receipt's signer, which differ from those of attestations.
    package let receiptRoots: RootKeys
    package let category: AppAttestValidationCategory?

    package init(
        applications: [String], environment: AppAttestEnvironment,
        roots: RootKeys = VendorRoots.appAttest, checksReceipt: Bool = true,
        receiptRoots: RootKeys = VendorRoots.appleReceipts,
        category: AppAttestValidationCategory? = nil
    ) {
        self.applications = applications
        self.environment = environment
        self.roots = roots
        self.checksReceipt = checksReceipt
        self.receiptRoots = receiptRoots
        self.category = category
    }

    private static let nonceExtension = "1.2.840.113635.100.8.2"

    package func check(
        _ evidence: UnverifiedAppAttest, expecting expectation: AttestationExpectation
    ) async throws(AttestationRefusal) -> VerifiedAppAttest {
        let data = evidence.object.authenticatorData
        // 1: the certificates lead to Apple's root.
        let leaf = try await trustedLeaf(evidence, expectation)
        // 2, 3: the nonce of the leaf is the hash of the authenticator data and the challenge.
        try checkNonce(in: leaf, data, expectation)
        // 4: the key identifier is the hash of the leaf's key, an uncompressed point.
        let key = try attestedKey(leaf, evidence.keyIdentifier)
        // 5 to 8: it is recent, by the app, of the environment, and for the credential.
        let application = try Self.application(
            by: data.rpIdHash, among: applications, check: 5)
        try checkCredential(data, key, evidence.keyIdentifier)
        if expectation.key != nil { try expectation.requireKey(key) }
        return VerifiedAppAttest(
            keyIdentifier: evidence.keyIdentifier, key: key, application: application,
            environment: environment, category: try category?.check(leaf, data),
            receipt: try await receipt(evidence, leaf, application, expectation),
            receiptBytes: evidence.receipt)
    }

    private func trustedLeaf(
        _ evidence: UnverifiedAppAttest, _ expectation: AttestationExpectation
    ) async throws(AttestationRefusal) -> AttestationCertificate {
        let chain = try AttestationChain.read(evidence.certificates)
        guard !chain.issuers.isEmpty else {
            throw AttestationRefusal(.chainUntrusted, "check 1: the intermediate is a root")
        }
        if let reason = await chain.refusal(roots: roots, now: expectation.now) {
            throw AttestationRefusal(.chainUntrusted, "check 1: \(reason)")
        }
        return chain.leaf
    }

    /// `SEQUENCE { [1] EXPLICIT OCTET STRING }`.
    private func checkNonce(
        in leaf: AttestationCertificate, _ data: AuthenticatorData,
        _ expectation: AttestationExpectation
    ) throws(AttestationRefusal) {
        guard let value = leaf.extensionValue(Self.nonceExtension) else {
            throw AttestationRefusal(.extensionMissing, "check 3: no nonce")
        }
        guard let fields = (try? ASN1Element(value))?.sequence, fields.count == 1,
            let nonce = fields[0].explicit(1)?.octets
        else { throw AttestationRefusal(.extensionMalformed, "check 3: no nonce to read") }
        var hash = SHA256()
        hash.update(data: data.bytes)
        hash.update(data: expectation.challenge)
        guard !expectation.challenge.isEmpty, nonce.elementsEqual(hash.finalize()) else {
            throw AttestationRefusal(.challengeMismatch, "check 3: another nonce")
        }
    }

    private func attestedKey(
        _ leaf: AttestationCertificate, _ identifier: [UInt8]
    ) throws(AttestationRefusal) -> PublicJWK {
        guard let key = leaf.publicKey, case .ellipticCurve(.p256, let x, let y) = key.material
        else { throw AttestationRefusal(.keyMismatch, "check 4: no key on P-256") }
        guard SHA256.hash(data: [0x04] + x + y).elementsEqual(identifier) else {
            throw AttestationRefusal(.keyIdentifierMismatch, "check 4: of another key")
        }
        return key
    }

    /// Returns the App ID with this hash.
    static func application(
        by hash: ArraySlice<UInt8>, among applications: [String], check: Int
    ) throws(AttestationRefusal) -> String {
        let found = applications.first {
            SHA256.hash(data: Array($0.utf8)).elementsEqual(hash)
        }
        guard let found else {
            throw AttestationRefusal(.applicationMismatch, "check \(check): of another app")
        }
        return found
    }

    private func checkCredential(
        _ data: AuthenticatorData, _ key: PublicJWK, _ identifier: [UInt8]
    ) throws(AttestationRefusal) {
        guard data.signCount == 0 else {
            throw AttestationRefusal(.counterNotZero, "check 6: \(data.signCount)")
        }
        guard let credential = data.attestedCredential else {
            throw AttestationRefusal(.evidenceMalformed, "no attested credential data")
        }
        guard credential.aaguid == environment.aaguid else {
            throw AttestationRefusal(
                .environmentMismatch, "check 7: not made in \(environment.rawValue)")
        }
        guard credential.credentialId.elementsEqual(identifier) else {
            throw AttestationRefusal(.credentialIdentifierMismatch, "check 8: another credential")
        }
        // In addition to Apple's steps: the credential's key is the certified one.
        let cose = try? COSEPublicKey(credential.publicKey)
        guard cose?.jwk?.material == key.material else {
            throw AttestationRefusal(.keyMismatch, "the credential has another key")
        }
    }

    private func receipt(
        _ evidence: UnverifiedAppAttest, _ leaf: AttestationCertificate, _ application: String,
        _ expectation: AttestationExpectation
    ) async throws(AttestationRefusal) -> AppAttestReceipt? {
        guard checksReceipt else { return nil }
        let signed = try SignedReceipt(pkcs7: evidence.receipt)
        let receipt = try AppAttestReceipt(signed)
        try await signed.verify(roots: receiptRoots, now: expectation.now)
        try receipt.requireFresh(at: expectation.now)
        try receipt.require(
            application: application, environment: environment, certificate: leaf.der,
            challenge: expectation.challenge)
        return receipt
    }
}

/// A key with a verified App Attest attestation. Only the verifier creates one.
package struct VerifiedAppAttest: Sendable {
    package let keyIdentifier: [UInt8]
    /// On P-256. Assertions are verified with it; its counter begins at 0.
    package let key: PublicJWK
    /// The App ID.
    package let application: String
    package let environment: AppAttestEnvironment
    /// The source of the app, if a rule was given and the system states it.
    package let category: String?
    /// The verified receipt, if the verification was requested.
    package let receipt: AppAttestReceipt?
    /// The receipt to store, and to send to Apple for a newer one with the risk metric.
    package let receiptBytes: [UInt8]

    fileprivate init(
        keyIdentifier: [UInt8], key: PublicJWK, application: String,
        environment: AppAttestEnvironment, category: String?, receipt: AppAttestReceipt?,
        receiptBytes: [UInt8]
    ) {
        self.keyIdentifier = keyIdentifier
        self.key = key
        self.application = application
        self.environment = environment
        self.category = category
        self.receipt = receipt
        self.receiptBytes = receiptBytes
    }
}

extension AttestationChain {
    static func read(_ certificates: [[UInt8]]) throws(AttestationRefusal) -> AttestationChain {
        do { return try AttestationChain(der: certificates) } catch {
            throw AttestationRefusal(.chainMalformed, error.reason)
        }
    }
}
