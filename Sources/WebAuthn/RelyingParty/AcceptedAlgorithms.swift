// SPDX-License-Identifier: Apache-2.0

/// The signature algorithms that a relying party accepts: of credential keys, and separately of
/// attestation statements.
///
/// A credential key signs for years, so a weak algorithm there weakens every sign-in. An attestation
/// statement is signed once, by a key that the relying party's trust anchors vouch for.
package struct AcceptedAlgorithms: Sendable {
    /// Of credential keys, best first: what `pubKeyCredParams` offers (step 7.1.20).
    package var credentialKeys: [COSEAlgorithm]
    /// Of the signature of every attestation statement but those of TPMs.
    package var statements: Set<COSEAlgorithm>
    /// Of the signature of TPM statements (section 8.3).
    ///
    /// RS1 is among them. Every statement of Windows Hello is signed with it, because the attestation
    /// identity key is made for TPM 1.2's scheme, and no relying party can ask for another. What is
    /// signed is a `TPMS_ATTEST`, which the TPM writes itself around at most 64 bytes of the caller's;
    /// the known collisions of SHA-1 need more room than that.
    package var tpmStatements: Set<COSEAlgorithm>

    package init(
        _ credentialKeys: [COSEAlgorithm] = COSEAlgorithm.offeredByDefault,
        statements: Set<COSEAlgorithm> = Set(COSEAlgorithm.withoutSHA1),
        tpmStatements: Set<COSEAlgorithm> = Set(COSEAlgorithm.allCases)
    ) {
        self.credentialKeys = credentialKeys
        self.statements = statements
        self.tpmStatements = tpmStatements
    }
}
