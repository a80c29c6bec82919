// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The HPKE forms of macOS 15 and later, which are recognized only to be refused by name: Apple has
/// not published the revision of the draft that it uses.
enum UnsupportedHPKE {
    static func isNamed(_ algorithm: String) -> Bool {
        algorithm.hasPrefix("HPKE-") || algorithm.hasPrefix("HPKE_")
    }

    static var refusal: PlatformSSORefusal {
        PlatformSSORefusal(
            .hpkeNotOffered,
            "HPKE is not supported: the extension must request ecdhe_A256GCM only")
    }

    /// Reads only the header, because the other parts differ from those of ECDH-ES.
    static func refuse(compact bytes: [UInt8]) throws(PlatformSSORefusal) {
        let letters = bytes.prefix { $0 != UInt8(ascii: ".") }
        guard letters.count <= 16_384, let header = Base64URL.decode(bytes: letters),
            let members = try? JSONParser.parseObject(
                header, maximumBytes: 16_384, maximumDepth: 8),
            let algorithm = members["alg"]?.string, isNamed(algorithm)
        else { return }
        throw refusal
    }
}
