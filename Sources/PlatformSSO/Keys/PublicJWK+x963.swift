// SPDX-License-Identifier: Apache-2.0
package import JOSE

extension PublicJWK {
    /// The uncompressed point of ANSI X9.63, `04 || X || Y` with coordinates at their full length
    /// (65 bytes on P-256); `nil` for a key on no NIST curve.
    package var x963: [UInt8]? {
        guard case .ellipticCurve(_, let x, let y) = material else { return nil }
        return [0x04] + x + y
    }

    /// Decodes the P-256 key of an uncompressed point, the form of
    /// `SecKeyCopyExternalRepresentation`.
    ///
    /// - Throws: `publicKeyMalformed` for another length or form, and for points off the curve.
    package init(x963 point: [UInt8]) throws(PlatformSSORefusal) {
        guard point.count == 65, point.first == 0x04 else {
            throw PlatformSSORefusal(.publicKeyMalformed, "not an uncompressed point of P-256")
        }
        do throws(JOSEError) {
            try self.init(
                .ellipticCurve(.p256, x: Array(point[1..<33]), y: Array(point[33...])),
                parameters: KeyParameters())
        } catch {
            throw PlatformSSORefusal(.publicKeyMalformed, "the point is not on P-256")
        }
    }

    var isP256: Bool {
        if case .ellipticCurve(.p256, _, _) = material { true } else { false }
    }
}
