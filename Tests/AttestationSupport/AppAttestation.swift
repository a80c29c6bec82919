// SPDX-License-Identifier: Apache-2.0
package import Attestation
import CBOR
package import Crypto
import JOSE
import Primitives
import WebAuthn
package import X509

/// An App Attest attestation that would pass, until a test spoils a part of it.
package struct AppAttestation {
    package static let application = "TEAM123456.org.example.notes"

    package let authority: AttestationAuthority
    package var application = Self.application
    package let key = P256.Signing.PrivateKey()
    package var challenge = SampleEvidence.challenge
    package var format = "apple-appattest"
    package var aaguid = Array("appattestdevelop".utf8)
    package var counter: UInt8 = 0
    /// In place of the hash of the key: what the app claims, and what the credential is called.
    package var keyIdentifier: [UInt8]?
    package var credentialIdentifier: [UInt8]?
    /// In place of the key, inside the authenticator data.
    package var credentialKey: P256.Signing.PublicKey?
    /// In place of the nonce extension.
    package var nonceExtension: [UInt8]?
    package var hasNonce = true
    package var moreExtensions: [Certificate.Extension] = []
    /// In place of the chain.
    package var certificates: [[UInt8]]?
    package var receipt: [UInt8]?
    package var receiptFields = ReceiptFields()
    /// The signer of the receipt; by default the authority of the attestation. Its root is a fake
    /// one that replaces Apple Root CA - G3.
    package var receiptAuthority: AttestationAuthority?

    package init(authority: AttestationAuthority? = nil) throws {
        self.authority = try authority ?? AttestationAuthority()
    }

    package var keyHash: [UInt8] { Array(SHA256.hash(data: key.publicKey.x963Representation)) }

    package var authenticatorData: [UInt8] {
        let identifier = credentialIdentifier ?? keyHash
        let point = Array((credentialKey ?? key.publicKey).rawRepresentation)
        let cose = CBORValue.map([
            CBOREntry(.integer(1), .integer(2)), CBOREntry(.integer(3), .integer(-7)),
            CBOREntry(.integer(-1), .integer(1)),
            CBOREntry(.integer(-2), .byteString(point.prefix(32))),
            CBOREntry(.integer(-3), .byteString(point.suffix(32))),
        ]).encoded(ordering: .ctap2)
        return Array(SHA256.hash(data: Array(application.utf8))) + [0x40, 0, 0, 0, counter]
            + aaguid + [0, UInt8(identifier.count)] + identifier + cose
    }

    private func nonce() -> [UInt8] {
        der(
            [0x30],
            der(
                [0xA1],
                der([0x04], Array(SHA256.hash(data: authenticatorData + challenge)))))
    }

    package func path() throws -> [[UInt8]] {
        if let certificates { return certificates }
        let nonce = try Certificate.Extension("1.2.840.113635.100.8.2", nonceExtension ?? nonce())
        return try authority.chain(
            for: key.publicKey, (hasNonce ? [nonce] : []) + moreExtensions)
    }

    package func attestation() throws -> [UInt8] {
        let path = try path()
        var fields = receiptFields
        fields.certificate = fields.certificate ?? path.first
        fields.clientHash = fields.clientHash ?? challenge
        let signed = try fields.signed(by: receiptAuthority ?? authority)
        let statement = CBORValue.map([
            CBOREntry(.text("x5c"), .array(path.map { .byteString($0) })),
            CBOREntry(.text("receipt"), .byteString(receipt ?? signed)),
        ])
        return CBORValue.map([
            CBOREntry(.text("fmt"), .text(format)), CBOREntry(.text("attStmt"), statement),
            CBOREntry(.text("authData"), .byteString(authenticatorData)),
        ]).encoded(ordering: .ctap2)
    }

    package func evidence() throws(AttestationRefusal) -> UnverifiedAppAttest {
        let bytes: [UInt8]
        do { bytes = try attestation() } catch {
            throw AttestationRefusal(.evidenceMalformed, "the test itself failed: \(error)")
        }
        return try UnverifiedAppAttest(
            attestation: bytes, keyIdentifier: keyIdentifier ?? keyHash)
    }

    package func verifier(
        environment: AppAttestEnvironment = .development, checksReceipt: Bool = true,
        category: AppAttestValidationCategory? = nil
    ) throws -> AppAttestVerifier {
        AppAttestVerifier(
            applications: ["TEAM123456.org.example.other", Self.application],
            environment: environment, roots: try authority.roots, checksReceipt: checksReceipt,
            receiptRoots: try authority.roots, category: category)
    }

    package func verify(
        _ verifier: AppAttestVerifier? = nil,
        expecting expectation: AttestationExpectation? = nil
    ) async throws -> Result<VerifiedAppAttest, AttestationRefusal> {
        let evidence: UnverifiedAppAttest
        do throws(AttestationRefusal) { evidence = try self.evidence() } catch {
            return .failure(error)
        }
        return await (try verifier ?? self.verifier()).verify(
            evidence,
            expecting: expectation
                ?? AttestationExpectation(challenge: challenge, now: SampleEvidence.now))
    }

    /// The code of the refusal after a change.
    package static func code(
        _ spoil: (inout AppAttestation) throws -> Void
    ) async throws -> AttestationRefusal.Code? {
        var made = try AppAttestation()
        try spoil(&made)
        return try await made.verify().code
    }
}
