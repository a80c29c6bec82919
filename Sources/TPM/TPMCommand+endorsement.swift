// SPDX-License-Identifier: Apache-2.0

/// Commands for the endorsement key and its certificates.
extension TPMCommand {
    private static let endorsement: Handle = 0x4000_000B
    private static let nobody: Handle = 0x4000_0007

    /// The endorsement key by the usual template (TCG EK Credential Profile, L-1 and L-2), the same
    /// each time: the TPM derives it from a seed that its maker gave it.
    static func createEndorsementKey(_ kind: TPMEndorsement.Kind) -> [UInt8] {
        // fixedTPM, fixedParent, sensitiveDataOrigin, adminWithPolicy, restricted, decrypt.
        let start = be16(kind == .rsa ? 0x0001 : 0x0023) + be16(0x000B) + be32(0x0003_00B2)
        let cipher = be16(0x0006) + be16(128) + be16(0x0043) + be16(0x0010)
        let zeros = [UInt8](repeating: 0, count: kind == .rsa ? 256 : 32)
        let end =
            switch kind {
            case .rsa: be16(2048) + be32(0) + sized(zeros)
            case .p256: be16(0x0003) + be16(0x0010) + sized(zeros) + sized(zeros)
            }
        return create(
            0x131, under: endorsement, start + sized(policy) + cipher + end, data: [])
    }

    /// `TPM2_PolicySecret` of the endorsement hierarchy, which every such key requires (annex
    /// B.6.2).
    private static let policy: [UInt8] = [
        0x83, 0x71, 0x97, 0x67, 0x44, 0x84, 0xB3, 0xF8, 0x1A, 0x90, 0xCC, 0x8D, 0x46, 0xA5, 0xD7,
        0x24, 0xFD, 0x52, 0xD7, 0x6E, 0x06, 0x52, 0x0B, 0x64, 0xF2, 0xA1, 0xDA, 0x1B, 0x33, 0x14,
        0x69, 0xAA,
    ]

    /// A policy session with SHA-256, neither salted nor bound: it transports no secret.
    static var startPolicySession: [UInt8] {
        let nonce = [UInt8](repeating: 0, count: 16)
        return open(
            0x176,
            be32(nobody) + be32(nobody) + sized(nonce) + sized([]) + [0x01] + be16(0x0010)
                + be16(0x000B))
    }

    /// Shows in a session that the endorsement hierarchy's password is known: none.
    static func proveEndorsement(in session: Handle) -> [UInt8] {
        command(
            0x151, [endorsement, session], sized([]) + sized([]) + sized([]) + be32(0))
    }

    /// Opens a credential (`TPM2_ActivateCredential`) for the key that it names.
    ///
    /// - Parameter session: Of the endorsement key's policy.
    static func activate(
        _ key: Handle, by endorsementKey: Handle, _ session: Handle, blob: [UInt8],
        encryptedSecret: [UInt8]
    ) -> [UInt8] {
        command(
            0x147, [key, endorsementKey], sized(blob) + sized(encryptedSecret),
            authorizedBy: Self.session(0x4000_0009) + Self.session(session))
    }

    /// Reads the attributes of an index of the TPM's memory.
    static func describe(_ index: Handle) -> [UInt8] { open(0x169, be32(index)) }

    /// Reads a part of a publicly readable index.
    static func read(_ index: Handle, _ count: UInt16, from offset: UInt16) -> [UInt8] {
        command(0x14E, [index, index], be16(count) + be16(offset))
    }
}
