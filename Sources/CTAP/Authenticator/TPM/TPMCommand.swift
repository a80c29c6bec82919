// SPDX-License-Identifier: Apache-2.0

/// Commands to a TPM 2.0 (TPM 2.0 Library part 3), as many as sealing a key takes. Objects are
/// authorised by an empty password: who can speak to the TPM may use them.
enum TPMCommand {
    /// A handle of an object in the TPM, or of a hierarchy.
    typealias Handle = UInt32

    private static let owner: Handle = 0x4000_0001

    /// An ECC P-256 storage key in the owner hierarchy, the same each time: the TPM derives it from
    /// its own seed.
    static var createPrimary: [UInt8] {
        // fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, noDA, restricted, decrypt;
        // AES-128-CFB within, no scheme, P-256, no KDF, and no point.
        let template =
            be16(0x0023) + be16(0x000B) + be32(0x0003_0472) + be16(0)
            + be16(0x0006) + be16(128) + be16(0x0043) + be16(0x0010) + be16(0x0003)
            + be16(0x0010) + be16(0) + be16(0)
        let parameters = sized(sized([]) + sized([])) + sized(template) + sized([]) + be32(0)
        return command(0x131, owner, parameters)
    }

    /// Seals data under a parent.
    static func seal(_ data: [UInt8], under parent: Handle) -> [UInt8] {
        // A keyed-hash object: fixedTPM, fixedParent, userWithAuth, noDA; no scheme.
        let template =
            be16(0x0008) + be16(0x000B) + be32(0x0000_0452) + be16(0) + be16(0x0010) + be16(0)
        let parameters = sized(sized([]) + sized(data)) + sized(template) + sized([]) + be32(0)
        return command(0x153, parent, parameters)
    }

    static func load(
        _ privatePart: [UInt8], _ publicPart: [UInt8], under parent: Handle
    ) -> [UInt8] {
        command(0x157, parent, sized(privatePart) + sized(publicPart))
    }

    static func unseal(_ object: Handle) -> [UInt8] { command(0x15E, object, []) }

    static func flush(_ object: Handle) -> [UInt8] {
        let body = be32(0x165) + be32(object)
        return be16(0x8001) + be32(UInt32(body.count) + 6) + body
    }

    /// A command with one handle, authorised by a password session with an empty password.
    private static func command(
        _ code: UInt32, _ handle: Handle, _ parameters: [UInt8]
    ) -> [UInt8] {
        let session = be32(0x4000_0009) + be16(0) + [0] + be16(0)
        let body =
            be32(code) + be32(handle) + be32(UInt32(session.count)) + session + parameters
        return be16(0x8002) + be32(UInt32(body.count) + 6) + body
    }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] {
        be16(UInt16(clamping: bytes.count)) + bytes
    }

    private static func be16(_ number: UInt16) -> [UInt8] {
        [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    private static func be32(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
}
