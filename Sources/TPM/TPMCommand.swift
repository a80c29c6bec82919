// SPDX-License-Identifier: Apache-2.0

/// Commands to a TPM 2.0 (TPM 2.0 Library part 3), as many as we need: to seal the key of a store,
/// to make and use keys that stay inside, and to count.
///
/// Objects are authorised by an empty password, unless they were made with one: who can speak to the TPM
/// and has an object's encrypted form may use it.
enum TPMCommand {
    /// A handle of an object in the TPM, of an index of its memory, or of a hierarchy.
    typealias Handle = UInt32

    private static let owner: Handle = 0x4000_0001

    // MARK: Objects

    /// An ECC P-256 storage key in the owner hierarchy, the same each time: the TPM derives it from
    /// its own seed.
    static var createPrimary: [UInt8] {
        // fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, noDA, restricted, decrypt;
        // AES-128-CFB within, no scheme, P-256, no KDF, and no point.
        let template =
            be16(0x0023) + be16(0x000B) + be32(0x0003_0472) + be16(0)
            + be16(0x0006) + be16(128) + be16(0x0043) + be16(0x0010) + be16(0x0003)
            + be16(0x0010) + be16(0) + be16(0)
        return create(0x131, under: owner, template, data: [])
    }

    /// Seals data under a parent.
    static func seal(_ data: [UInt8], under parent: Handle) -> [UInt8] {
        // A keyed-hash object: fixedTPM, fixedParent, userWithAuth, noDA; no scheme.
        let template =
            be16(0x0008) + be16(0x000B) + be32(0x0000_0452) + be16(0) + be16(0x0010) + be16(0)
        return create(0x153, under: parent, template, data: data)
    }

    /// Creates a P-256 key for ECDSA with SHA-256 under a parent.
    ///
    /// - Parameter password: Of the key; the TPM then limits wrong attempts (part 1 section 19.8).
    ///   Empty for none.
    static func createSigningKey(under parent: Handle, password: [UInt8] = []) -> [UInt8] {
        // fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, sign, and noDA without a password;
        // nothing symmetric, ECDSA with SHA-256, P-256, no KDF, and no point.
        let attributes: UInt32 = password.isEmpty ? 0x0004_0472 : 0x0004_0072
        let template =
            be16(0x0023) + be16(0x000B) + be32(attributes) + be16(0)
            + be16(0x0010) + be16(0x0018) + be16(0x000B) + be16(0x0003)
            + be16(0x0010) + be16(0) + be16(0)
        return create(0x153, under: parent, template, data: [], password: password)
    }

    /// Creates a P-256 key under a parent that signs only the TPM's statements.
    static func createAttestationKey(under parent: Handle) -> [UInt8] {
        // As a signing key, and restricted.
        let template =
            be16(0x0023) + be16(0x000B) + be32(0x0005_0472) + be16(0)
            + be16(0x0010) + be16(0x0018) + be16(0x000B) + be16(0x0003)
            + be16(0x0010) + be16(0) + be16(0)
        return create(0x153, under: parent, template, data: [])
    }

    /// Makes a P-256 key for ECDH under a parent.
    static func createAgreementKey(under parent: Handle) -> [UInt8] {
        // fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, noDA, decrypt; nothing
        // symmetric, no scheme, P-256, no KDF, and no point.
        let template =
            be16(0x0023) + be16(0x000B) + be32(0x0002_0472) + be16(0)
            + be16(0x0010) + be16(0x0010) + be16(0x0003)
            + be16(0x0010) + be16(0) + be16(0)
        return create(0x153, under: parent, template, data: [])
    }

    /// `TPM2_Create` and `TPM2_CreatePrimary`: no measurements.
    static func create(
        _ code: UInt32, under parent: Handle, _ template: [UInt8], data: [UInt8],
        password: [UInt8] = []
    ) -> [UInt8] {
        let parameters =
            sized(sized(password) + sized(data)) + sized(template) + sized([]) + be32(0)
        return command(code, [parent], parameters)
    }

    static func load(
        _ privatePart: [UInt8], _ publicPart: [UInt8], under parent: Handle
    ) -> [UInt8] {
        command(0x157, [parent], sized(privatePart) + sized(publicPart))
    }

    static func unseal(_ object: Handle) -> [UInt8] { command(0x15E, [object], []) }

    /// Signs a SHA-256 digest as the key's own scheme has it.
    static func sign(_ digest: [UInt8], with key: Handle, password: [UInt8] = []) -> [UInt8] {
        // No other scheme, and no proof that the TPM made the digest: the key is not restricted.
        let noTicket = be16(0x8024) + be32(0x4000_0007) + sized([])
        return command(
            0x15D, [key], sized(digest) + be16(0x0010) + noTicket, password: password)
    }

    /// Certifies with one key that another is in the TPM; the scheme is the signer's.
    static func certify(_ key: Handle, with signer: Handle, challenge: [UInt8]) -> [UInt8] {
        command(0x148, [key, signer], sized(challenge) + be16(0x0010), sessions: 2)
    }

    /// The values of registers of the SHA-256 bank (`TPM2_PCR_Read`), eight at most.
    static func read(registers: [Int]) -> [UInt8] {
        open(0x17E, selection(of: registers))
    }

    /// Signs the values of the registers with a key (`TPM2_Quote`); the scheme is the key's.
    static func quote(_ registers: [Int], with signer: Handle, challenge: [UInt8]) -> [UInt8] {
        command(0x158, [signer], sized(challenge) + be16(0x0010) + selection(of: registers))
    }

    /// `TPML_PCR_SELECTION` of registers 0 to 23 of the SHA-256 bank.
    private static func selection(of registers: [Int]) -> [UInt8] {
        let mask = registers.reduce(into: [UInt8](repeating: 0, count: 3)) { mask, register in
            guard 0..<24 ~= register else { return }
            mask[register / 8] |= 1 << UInt8(register % 8)
        }
        return be32(1) + be16(0x000B) + [3] + mask
    }

    /// The point that a key agrees on with another point (`TPM2_ECDH_ZGen`).
    static func agree(_ key: Handle, x: [UInt8], y: [UInt8]) -> [UInt8] {
        command(0x154, [key], sized(sized(x) + sized(y)))
    }

    static func flush(_ object: Handle) -> [UInt8] { open(0x165, be32(object)) }

    // MARK: Counters

    /// Makes a counter at an index of the TPM's own memory. It can only rise, and when it is made
    /// again it begins above every counter that the TPM ever had (part 3 section 31.3).
    static func defineCounter(_ index: Handle, password: [UInt8]) -> [UInt8] {
        // authWrite, a counter, authRead, noDA; eight bytes.
        let area =
            be32(index) + be16(0x000B) + be32(0x0204_0014) + sized([]) + be16(8)
        return command(0x12A, [owner], sized(password) + sized(area))
    }

    static func increment(_ index: Handle, password: [UInt8]) -> [UInt8] {
        command(0x134, [index, index], [], password: password)
    }

    static func readCounter(_ index: Handle, password: [UInt8]) -> [UInt8] {
        command(0x14E, [index, index], be16(8) + be16(0), password: password)
    }

    // MARK: Form

    /// A command whose first handle, or as many as there are sessions, is authorised by a password.
    static func command(
        _ code: UInt32, _ handles: [Handle], _ parameters: [UInt8], password: [UInt8] = [],
        sessions: Int = 1
    ) -> [UInt8] {
        let one = session(0x4000_0009, password: password)
        return command(
            code, handles, parameters, authorizedBy: (0..<sessions).flatMap { _ in one })
    }

    /// A command whose first handles are authorised by those sessions, in their order.
    static func command(
        _ code: UInt32, _ handles: [Handle], _ parameters: [UInt8],
        authorizedBy sessions: [UInt8]
    ) -> [UInt8] {
        let body =
            be32(code) + handles.flatMap(be32) + be32(UInt32(sessions.count)) + sessions
            + parameters
        return be16(0x8002) + be32(UInt32(body.count) + 6) + body
    }

    /// A command that nothing authorises.
    static func open(_ code: UInt32, _ content: [UInt8]) -> [UInt8] {
        be16(0x8001) + be32(UInt32(content.count) + 10) + be32(code) + content
    }

    /// `TPMS_AUTH_COMMAND` of the password session, or of a policy session, which ends with the
    /// command.
    static func session(_ handle: Handle, password: [UInt8] = []) -> [UInt8] {
        be32(handle) + be16(0) + [0] + sized(password)
    }

    static func sized(_ bytes: [UInt8]) -> [UInt8] {
        be16(UInt16(clamping: bytes.count)) + bytes
    }

    static func be16(_ number: UInt16) -> [UInt8] {
        [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    static func be32(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
}
