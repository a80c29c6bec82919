// SPDX-License-Identifier: Apache-2.0
import JOSE
import PKCS11
import PlatformSSO
import Primitives

extension TokenKeys {
    /// The number of bytes in the name of a key.
    static let nameSize = 16

    /// A key on the token under a fresh name, by which it is found again. Blocks.
    ///
    /// - Parameter label: For people who look at the token.
    func makeKey(
        for use: TokenKeyUse, label: String, random: any RandomSource
    ) throws -> (name: [UInt8], publicKey: PublicJWK) {
        let name = random.bytes(Self.nameSize)
        let point = try makeKey(for: use, id: name, name: label)
        return (name, try PublicJWK(x963: [0x04] + point))
    }
}
