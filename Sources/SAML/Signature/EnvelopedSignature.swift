// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The one signature of a document over its root (XML Signature, SAML 2.0 Core section 5.4), parsed
/// and not verified.
///
/// The form is exactly SAML's: one reference, to the root, with the two transforms *enveloped
/// signature* and *exclusive canonicalization*. `KeyInfo` is ignored, because the accepted keys are
/// configured.
struct EnvelopedSignature {
    private let document: SAMLXMLDocument
    private let element: SAMLXMLElement
    private let signedInfo: SAMLXMLElement
    private let method: JWSAlgorithm
    private let value: [UInt8]
    private let reference: Reference
    /// The prefixes of the canonicalization of ``signedInfo``.
    private let prefixes: [String]

    private struct Reference {
        let uri: String
        let digest: DigestMethod
        let value: [UInt8]
        let prefixes: [String]
    }

    private static let enveloped = Namespace.signature + "enveloped-signature"
    private static let maximumPrefixes = 16

    /// - Throws: `signatureMissing`, `wrapped`, `signatureMalformed`, `algorithmNotAllowed`,
    ///   `transformNotAllowed`.
    init(of document: SAMLXMLDocument) throws(SAMLRefusal) {
        self.document = document
        let all = document.root.all.filter { $0.isNamed("Signature", in: Namespace.signature) }
        guard !all.isEmpty else { throw SAMLRefusal(.signatureMissing, "there is no signature") }
        guard let only = all.first, all.count == 1, only.path.count == 1 else {
            throw SAMLRefusal(.wrapped, "not one signature, or not the root's")
        }
        element = only
        signedInfo = try Self.child("SignedInfo", of: only)
        value = try Self.bytes(Self.child("SignatureValue", of: only))
        let name = try Self.child("SignatureMethod", of: signedInfo)[attribute: "Algorithm"] ?? ""
        guard let method = SignatureMethod.algorithm(name) else {
            throw SAMLRefusal(.algorithmNotAllowed, "SignatureMethod \(name)")
        }
        self.method = method
        prefixes = try Self.prefixes(of: Self.child("CanonicalizationMethod", of: signedInfo))
        reference = try Self.reference(Self.child("Reference", of: signedInfo))
    }

    /// The canonical bytes of the root without the signature: what was signed, when one of the keys
    /// has signed it.
    ///
    /// - Throws: `referenceMismatch`, `transformNotAllowed`, `digestMismatch`, `signatureInvalid`,
    ///   `malformed`.
    func signedBytes(identifier: String, keys: [PublicJWK]) throws(SAMLRefusal) -> [UInt8] {
        // Without a fragment it would be the whole document, with another something else.
        guard reference.uri == "#" + identifier else {
            throw SAMLRefusal(.referenceMismatch, "the reference is not to the root")
        }
        let content: [UInt8]
        let info: [UInt8]
        do throws(XMLError) {
            content = try document.canonical(
                document.root, leavingOut: element, prefixes: reference.prefixes)
            info = try document.canonical(signedInfo, prefixes: prefixes)
        } catch { throw SAMLRefusal(error) }
        guard ConstantTime.equal(reference.digest.digest(content), reference.value) else {
            throw SAMLRefusal(.digestMismatch, "the root was changed")
        }
        guard keys.contains(where: { $0.hasSigned(info, by: method, signature: value) }) else {
            throw SAMLRefusal(.signatureInvalid, "no key of the issuer has signed")
        }
        return content
    }

    private static func reference(_ element: SAMLXMLElement) throws(SAMLRefusal) -> Reference {
        let transforms = try child("Transforms", of: element)
        let steps = transforms.children("Transform", in: Namespace.signature)
        guard steps.count == 2, transforms.children.count == 2,
            steps[0][attribute: "Algorithm"] == enveloped, steps[0].children.isEmpty
        else {
            throw SAMLRefusal(
                .transformNotAllowed, "not enveloped-signature, then canonicalization")
        }
        let name = try child("DigestMethod", of: element)[attribute: "Algorithm"] ?? ""
        guard let digest = DigestMethod(rawValue: name) else {
            throw SAMLRefusal(.algorithmNotAllowed, "DigestMethod \(name)")
        }
        return Reference(
            uri: element[attribute: "URI"] ?? "", digest: digest,
            value: try bytes(child("DigestValue", of: element)),
            prefixes: try prefixes(of: steps[1]))
    }

    /// Returns the prefixes of an element that specifies exclusive canonicalization without
    /// comments.
    private static func prefixes(of element: SAMLXMLElement) throws(SAMLRefusal) -> [String] {
        guard element[attribute: "Algorithm"] == Namespace.exclusive else {
            throw SAMLRefusal(.transformNotAllowed, "not exclusive canonicalization")
        }
        guard let inclusive = element.children.first else { return [] }
        guard element.children.count == 1,
            inclusive.isNamed("InclusiveNamespaces", in: Namespace.exclusive)
        else { throw SAMLRefusal(.transformNotAllowed, "more than InclusiveNamespaces") }
        let prefixes = (inclusive[attribute: "PrefixList"] ?? "")
            .split(separator: " ").map(String.init)
        guard prefixes.count <= maximumPrefixes else {
            throw SAMLRefusal(.transformNotAllowed, "too many prefixes")
        }
        return prefixes
    }

    private static func child(
        _ name: String, of element: SAMLXMLElement
    ) throws(SAMLRefusal) -> SAMLXMLElement {
        guard let child = element.only(name, in: Namespace.signature) else {
            throw SAMLRefusal(.signatureMalformed, "not exactly one \(name)")
        }
        return child
    }

    private static func bytes(_ element: SAMLXMLElement) throws(SAMLRefusal) -> [UInt8] {
        guard element.children.isEmpty,
            let bytes = Base64.decode(element.text, skippingWhitespace: true), !bytes.isEmpty
        else {
            throw SAMLRefusal(.signatureMalformed, "\(element.name) is not base64")
        }
        return bytes
    }
}
