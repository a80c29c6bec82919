// SPDX-License-Identifier: Apache-2.0

/// The name on an X.509 certificate (RFC 5280 section 4.1), for display only.
enum CertificateName {
    private static let commonName: [UInt8] = [0x55, 0x04, 0x03]
    private static let sequence: UInt8 = 0x30

    /// Returns the common name of the subject; `nil` if there is no readable one.
    static func common(of certificate: BERElement, in bytes: [UInt8]) -> String? {
        guard certificate.tag == sequence, let parts = elements(certificate, bytes).first else {
            return nil
        }
        // version?, serialNumber, signature, issuer, validity, subject
        let members = elements(parts, bytes).drop { $0.tag == 0xA0 }
        guard let subject = members.dropFirst(4).first else { return nil }
        let attributes = elements(subject, bytes).flatMap { elements($0, bytes) }
        for attribute in attributes {
            let pair = elements(attribute, bytes)
            guard pair.count == 2, bytes[pair[0].content].elementsEqual(commonName) else {
                continue
            }
            return String(validating: bytes[pair[1].content], as: UTF8.self)
        }
        return nil
    }

    private static func elements(_ element: BERElement, _ bytes: [UInt8]) -> [BERElement] {
        guard element.isConstructed else { return [] }
        return (try? BERElement.all(in: element.content, of: bytes)) ?? []
    }
}
