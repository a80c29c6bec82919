// SPDX-License-Identifier: Apache-2.0
import Primitives

/// An object as a TPM hands it out to be kept elsewhere: the private part is encrypted for that TPM
/// alone (`TPM2B_PRIVATE` and `TPM2B_PUBLIC`, TPM 2.0 Library part 2 sections 12.3.7 and 12.2.5).
struct TPMObject: Sendable, Equatable {
    let privatePart: [UInt8]
    /// `TPMT_PUBLIC`.
    let publicPart: [UInt8]

    /// The object that `TPM2_Create` answers with.
    init(created response: inout TPMResponse) throws(AuthenticatorStoreError) {
        try response.skipParameterSize()
        privatePart = try response.buffer()
        publicPart = try response.buffer()
    }

    /// Reads members 1 and 2 of a map.
    init?(_ reader: MemberReader) {
        guard let privatePart = try? reader.bytes(1, "private", lengths: 1...1024),
            let publicPart = try? reader.bytes(2, "public", lengths: 1...1024)
        else { return nil }
        (self.privatePart, self.publicPart) = (privatePart, publicPart)
    }

    /// Writes members 1 and 2 of a map.
    func add(to writer: inout MemberWriter) {
        writer.set(1, bytes: privatePart)
        writer.set(2, bytes: publicPart)
    }
}
