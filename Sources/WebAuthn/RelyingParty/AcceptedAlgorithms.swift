// SPDX-License-Identifier: Apache-2.0

/// The signature algorithms that a relying party accepts: of credential keys, and separately of
/// attestation statements.
///
/// A credential key signs for years, so a weak algorithm there weakens every sign-in. An
/// attestation statement is signed once, by a key that the relying party's trust anchors certify.
package struct AcceptedAlgorithms: Sendable {
    /// The algorithms of credential keys, preferred first: `pubKeyCredParams` (step 7.1.20).
    package var credentialKeys: [COSEAlgorithm]
    /// The algorithms of the signature of every attestation statement except those of TPMs.
    package var statements: Set<COSEAlgorithm>
    /// The algorithms of the signature of TPM statements (section 8.3).
    ///
    /// RS1 is among them. Every statement of Windows Hello is signed with it, because the
    /// attestation identity key uses TPM 1.2's scheme, and a relying party cannot request another.
    /// The TPM itself writes the signed `TPMS_ATTEST` around at most 64 bytes of the caller's. The
    /// known collisions of SHA-1 need more bytes than that.
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
