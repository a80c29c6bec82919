// SPDX-License-Identifier: Apache-2.0
import SwiftASN1

/// One element of ASN.1 (X.690) with its content, read strictly: at most 50 levels and no trailing
/// data. It serves modules that do not import swift-asn1.
package struct ASN1Element: Sendable {
    /// Which encodings are read.
    package enum Rules: Sendable {
        /// The one canonical form.
        case der
        /// Indefinite lengths and segmented strings are accepted, as in Apple's receipts.
        case ber
    }

    private let node: ASN1Node
    private let rules: Rules

    private init(_ node: ASN1Node, _ rules: Rules) {
        self.node = node
        self.rules = rules
    }

    package init(
        _ bytes: ArraySlice<UInt8>, rules: Rules = .der
    ) throws(ASN1ElementError) {
        do {
            node =
                switch rules {
                case .der: try DER.parse(bytes)
                case .ber: try BER.parse(bytes)
                }
        } catch { throw ASN1ElementError() }
        self.rules = rules
    }

    /// The elements of a SEQUENCE.
    package var sequence: [ASN1Element]? { children(.sequence) }

    /// The elements of a SET, in the order of the input.
    package var set: [ASN1Element]? { children(.set) }

    /// Returns the content of `[number] EXPLICIT`: exactly one element.
    package func explicit(_ number: UInt) -> ASN1Element? {
        let tag = ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
        guard let inner = children(tag), inner.count == 1 else { return nil }
        return inner[0]
    }

    /// The elements behind `[number] IMPLICIT` of a SET OF or SEQUENCE OF.
    package func implicit(_ number: UInt) -> [ASN1Element]? {
        children(ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific))
    }

    /// The element itself, unchanged.
    package var encodedBytes: ArraySlice<UInt8> { node.encodedBytes }

    private func children(_ identifier: ASN1Identifier) -> [ASN1Element]? {
        guard node.identifier == identifier, case .constructed(let nodes) = node.content else {
            return nil
        }
        return nodes.map { ASN1Element($0, rules) }
    }

    /// An INTEGER that fits into 64 bits.
    package var integer: Int64? { try? Int64(derEncoded: node) }

    /// An OCTET STRING, joined if it is segmented.
    package var octets: ArraySlice<UInt8>? {
        switch rules {
        case .der: try? ASN1OctetString(derEncoded: node).bytes
        case .ber: try? ASN1OctetString(berEncoded: node).bytes
        }
    }

    /// An OBJECT IDENTIFIER in dots.
    package var objectIdentifier: String? {
        (try? ASN1ObjectIdentifier(derEncoded: node)).map { "\($0)" }
    }
}

/// The bytes are not ASN.1 or violate the requested encoding rules.
package struct ASN1ElementError: Error, Sendable, Equatable {}
