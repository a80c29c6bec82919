// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import JOSE
import PlatformSSO
import Primitives
import SwiftASN1
import X509

/// Certificates of unlock keys, as a key service makes them: its own, for as long as it likes.
enum PlayedCertificate {
    static func make(
        _ key: PrivateJWK, from: Timestamp, for lifetime: TimeSpan
    ) throws -> [UInt8] {
        let point = Data(key.publicKey.x963 ?? [])
        let subject = try P256.Signing.PublicKey(x963Representation: point)
        let name = try DistinguishedName { CommonName("anna") }
        let begin = Date(timeIntervalSince1970: Double(from.seconds))
        let signer = P256.Signing.PrivateKey()
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(subject), notValidBefore: begin,
            notValidAfter: begin.addingTimeInterval(Double(lifetime.seconds)), issuer: name,
            subject: name, signatureAlgorithm: .ecdsaWithSHA256, extensions: .init(),
            issuerPrivateKey: .init(signer))
        var serializer = DER.Serializer()
        try certificate.serialize(into: &serializer)
        return serializer.serializedBytes
    }
}
