// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// The curves of RFC 8032, as far as needed to decide whether a `y` has an `x`.
///
/// Both equations reduce to `x² = (y² - 1) / (d·y² + s)` with `s` 1 for Ed25519 and -1 for Ed448,
/// and the denominator is never zero. So there is an `x` exactly if numerator times denominator is
/// a square, which the Kronecker symbol decides. The values are public, so the code is not
/// constant-time.
struct EdwardsCurve: Sendable {
    /// The field's prime, in hexadecimal.
    private let prime: String
    private let d: String
    private let subtractsOne: Bool
    /// Length of an encoded point in bytes, the sign of `x` in the highest bit of the last.
    private let encodedLength: Int

    static let ed25519 = EdwardsCurve(
        prime: "7f" + String(repeating: "ff", count: 30) + "ed",
        d: "52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3",
        subtractsOne: false, encodedLength: 32)
    /// `d` is -39081.
    static let ed448 = EdwardsCurve(
        prime: String(repeating: "ff", count: 27) + "fe" + String(repeating: "ff", count: 28),
        d: String(repeating: "ff", count: 27) + "fe" + String(repeating: "ff", count: 26) + "6756",
        subtractsOne: true, encodedLength: 57)

    func contains(encoded: [UInt8]) -> Bool {
        guard encoded.count == encodedLength, let context = BN_CTX_new() else { return false }
        defer { BN_CTX_free(context) }
        BN_CTX_start(context)
        defer { BN_CTX_end(context) }
        return hasSquareRoot(y: encoded, context) ?? false
    }

    /// `nil` when the library has no memory.
    private func hasSquareRoot(y encoded: [UInt8], _ context: OpaquePointer) -> Bool? {
        var bytes = Array(encoded.reversed())
        bytes[0] &= 0x7F
        var prime = BN_CTX_get(context)
        var d = BN_CTX_get(context)
        guard let y = BN_CTX_get(context), let top = BN_CTX_get(context),
            let bottom = BN_CTX_get(context), BN_hex2bn(&prime, self.prime) != 0,
            BN_hex2bn(&d, self.d) != 0, BN_bin2bn(bytes, CInt(bytes.count), y) != nil,
            // top: y² - 1; bottom: d·y² ± 1.
            BN_mod_sqr(y, y, prime, context) == 1,
            BN_mod_sub(top, y, BN_value_one(), prime, context) == 1,
            BN_mod_mul(bottom, d, y, prime, context) == 1,
            (subtractsOne ? BN_mod_sub : BN_mod_add)(
                bottom, bottom, BN_value_one(), prime, context) == 1,
            BN_mod_mul(top, top, bottom, prime, context) == 1
        else { return nil }
        return BN_kronecker(top, prime, context) >= 0
    }
}
