// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Crypto
import Primitives
import SAML
import Testing

/// What is done to assertions to make them say something else than what was signed.
@Suite("Attacks on an assertion")
struct SAMLAttackTests {
    private let maker = AssertionMaker()

    /// Returns an unsigned copy with another person and another identifier.
    private func evil(_ inside: String = "", identifier: String = "_evil") -> String {
        var evil = maker
        evil.subject = "admin@example.com"
        evil.identifier = identifier
        return evil.assertion(inside)
    }

    private func response(_ content: String) -> String {
        """
        <samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" Version="2.0">\
        \(content)</samlp:Response>
        """
    }

    private func signature(holding object: String = "") throws -> String {
        var maker = maker
        maker.signatureTail = object.isEmpty ? "" : "<ds:Object>\(object)</ds:Object>"
        return try maker.signature()
    }

    private func refusal(_ text: String) throws -> SAMLRefusal.Code? {
        try maker.verify(text).code
    }

    // MARK: Signature wrapping, by the numbers of Somorovsky et al., "On Breaking SAML" (2012)

    @Test("Attack 50: wrapping 1: a forged answer around the signed one, in the signature")
    func wrapping1() throws {
        let text = response(evil() + (try signature(holding: response(try maker.signed()))))
        #expect(try refusal(text) == .notAnAssertion)
    }

    @Test("Attack 50: wrapping 2: a forged response with the signed one next to its signature")
    func wrapping2() throws {
        let text = response(evil() + response(maker.assertion()) + (try signature()))
        #expect(try refusal(text) == .notAnAssertion)
    }

    @Test("Attack 50: wrapping 3: a forged assertion before the signed one")
    func wrapping3() throws {
        #expect(try refusal(response(evil() + (try maker.signed()))) == .notAnAssertion)
    }

    @Test("Attack 50: wrapping 4: the signed assertion within a forged one")
    func wrapping4() throws {
        #expect(try refusal(evil(try maker.signed())) == .wrapped)
    }

    @Test("Attack 50: wrapping 5: the signature in a forged assertion, the signed one behind it")
    func wrapping5() throws {
        let text = response(evil(try signature()) + maker.assertion())
        #expect(try refusal(text) == .notAnAssertion)
        #expect(try refusal(evil((try signature()) + maker.assertion())) == .wrapped)
    }

    @Test("Attack 50: wrapping 6: the signed assertion in the signature of a forged one")
    func wrapping6() throws {
        #expect(try refusal(evil(try signature(holding: maker.assertion()))) == .wrapped)
    }

    @Test("Attack 50: wrapping 7: a forged assertion among extensions")
    func wrapping7() throws {
        let text = response("<samlp:Extensions>\(evil())</samlp:Extensions>" + (try maker.signed()))
        #expect(try refusal(text) == .notAnAssertion)
    }

    @Test("Attack 50: wrapping 8: the signed assertion as an object of the forged one's signature")
    func wrapping8() throws {
        let inner = maker.assertion()
        let text = evil(try signature(holding: inner), identifier: "_a1")
        #expect(try refusal(text) == .wrapped)
    }

    @Test("Attack 50: the signed content under another name of element is no way out")
    func renamed() throws {
        let hidden = maker.assertion().replacing("saml:Assertion", with: "saml:Other")
        let twice = evil(try signature(holding: hidden), identifier: "_a1")
        #expect(try refusal(twice) == .identifierTaken)
        let once = evil(try signature(holding: hidden))
        #expect(try refusal(once) == .referenceMismatch)
    }

    @Test("Attack 50: an assertion in the advice of another is refused")
    func advice() throws {
        var maker = maker
        maker.more += "<saml:Advice>\(evil())</saml:Advice>"
        #expect(try maker.verify().code == .wrapped)
        let sealed = "<saml:EncryptedAssertion></saml:EncryptedAssertion>"
        maker.more = sealed
        #expect(try maker.verify().code == .wrapped)
    }

    // MARK: What was signed

    @Test("a change of a single character is detected")
    func changed() throws {
        let text = try maker.signed().replacing("anna@example", with: "hanna@example")
        #expect(try refusal(text) == .digestMismatch)
    }

    @Test("an assertion without a signature, with two, or signed elsewhere is refused")
    func unsigned() throws {
        #expect(try refusal(maker.assertion()) == .signatureMissing)
        let signature = try maker.signature()
        #expect(try refusal(maker.assertion(signature + signature)) == .wrapped)
        let deep = maker.assertion("<saml:Deep>\(signature)</saml:Deep>")
        #expect(try refusal(deep) == .wrapped)
    }

    @Test(
        "Attack 53: the signature of another key is refused, also when its certificate comes along")
    func otherKey() throws {
        var maker = maker
        maker.signer = P256.Signing.PrivateKey()
        maker.signatureTail = "<ds:KeyInfo><ds:X509Data></ds:X509Data></ds:KeyInfo>"
        #expect(try maker.verify().code == .signatureInvalid)
    }

    @Test("a digest of something else that is signed rightly is refused")
    func otherDigest() throws {
        #expect(try AssertionMaker.code { $0.hashed = "something else" } == .digestMismatch)
    }

    @Test(
        "weak algorithms, shared keys and none are refused",
        arguments: [
            "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
            "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
            "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
            "http://www.w3.org/2000/09/xmldsig#dsa-sha1", "none", "",
        ])
    func algorithms(_ name: String) throws {
        #expect(try AssertionMaker.code { $0.signatureMethod = name } == .algorithmNotAllowed)
    }

    @Test("an algorithm that does not fit the issuer's key is refused")
    func confusion() throws {
        let rsa = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
        #expect(try AssertionMaker.code { $0.signatureMethod = rsa } == .signatureInvalid)
        let longer = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384"
        #expect(try AssertionMaker.code { $0.signatureMethod = longer } == .signatureInvalid)
    }

    @Test("a digest by SHA-1 or MD5 is refused")
    func digests() throws {
        for name in [signatureNamespace + "sha1", "http://www.w3.org/2001/04/xmldsig-more#md5"] {
            #expect(try AssertionMaker.code { $0.digestMethod = name } == .algorithmNotAllowed)
        }
    }

    @Test(
        "Attack 57: other transforms, which could choose what is hashed, are refused",
        arguments: [
            [], [exclusive], [signatureNamespace + "enveloped-signature"],
            [exclusive, signatureNamespace + "enveloped-signature"],
            [
                signatureNamespace + "enveloped-signature",
                "http://www.w3.org/TR/1999/REC-xpath-19991116",
            ],
            [
                signatureNamespace + "enveloped-signature",
                "http://www.w3.org/TR/1999/REC-xslt-19991116", exclusive,
            ],
            [
                signatureNamespace + "enveloped-signature",
                "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
            ],
            [
                signatureNamespace + "enveloped-signature",
                "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
            ],
        ])
    func transforms(_ names: [String]) throws {
        #expect(try AssertionMaker.code { $0.transforms = names } == .transformNotAllowed)
    }

    @Test("another canonicalization of what is signed is refused")
    func canonicalization() throws {
        let inclusive = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
        #expect(try AssertionMaker.code { $0.canonicalization = inclusive } == .transformNotAllowed)
    }

    @Test(
        "Attack 50: a reference to anything else than the root is refused",
        arguments: ["", "#", "#_other", "_a1", "https://evil.example/a.xml", "#xpointer(/)"])
    func references(_ uri: String) throws {
        #expect(try AssertionMaker.code { $0.uri = uri } == .referenceMismatch)
    }

    @Test("two references, two digests and two signed parts are refused")
    func doubled() throws {
        for name in ["Reference", "DigestValue", "SignatureMethod", "SignedInfo", "SignatureValue"]
        {
            let text = try maker.signed()
            guard let end = text.firstRange(of: "</ds:\(name)>")?.upperBound,
                let begin = text.firstRange(of: "<ds:\(name)")?.lowerBound
            else {
                Issue.record("no \(name)")
                continue
            }
            let part = String(text[begin..<end])
            let twice = text.replacing(part, with: part + part)
            #expect(try refusal(twice) == .signatureMalformed, "\(name)")
        }
    }

    @Test("Attack 50: two elements with one identifier are refused, in every attribute")
    func identifiers() throws {
        for name in ["ID", "Id", "id", "AssertionID", "xml:id"] {
            let code = try AssertionMaker.code {
                $0.more += #"<saml:Evidence \#(name)="_a1"></saml:Evidence>"#
            }
            #expect(code == .identifierTaken, "\(name)")
        }
        #expect(try AssertionMaker.code { $0.identifier = "" } == .identifierMissing)
    }

    // MARK: The document

    @Test("Attack 51, 57: a comment in a name, which cuts it short for some readers, is refused")
    func comment() throws {
        let text = try maker.signed().replacing(
            "anna@example.com", with: "anna@example.com<!-- -->.evil.example")
        #expect(try refusal(text) == .markupNotAllowed)
        // Signed with the comment left out, as canonicalization does.
        var signed = maker
        signed.subject = "anna@example.com.evil.example"
        let cut = try signed.signed().replacing(
            "anna@example.com.evil", with: "anna@example.com<!---->.evil")
        #expect(try refusal(cut) == .markupNotAllowed)
    }

    @Test(
        "Attack 57: entities, from inside or outside, are refused before anything is read",
        arguments: [
            #"<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;&l;">]>"#,
            #"<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>"#,
            #"<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x.dtd"> %p;]>"#,
            #"<!DOCTYPE a SYSTEM "http://127.0.0.1:1/x.dtd">"#, "<!DOCTYPE a>",
            "<!-- -->", "<?php x?>", #"<?xml-stylesheet href="x"?>"#,
        ])
    func entities(_ prolog: String) throws {
        #expect(try refusal(prolog + (try maker.signed())) == .markupNotAllowed)
        let declared = #"<?xml version="1.0"?>"# + prolog + (try maker.signed())
        #expect(try refusal(declared) == .markupNotAllowed)
    }

    @Test("Attack 51, 57: an undeclared entity, and a CDATA section, are refused")
    func references() throws {
        let signed = try maker.signed()
        let entity = signed.replacing("anna@", with: "&anna;@")
        #expect(try refusal(entity) == .malformed)
        let section = signed.replacing("anna@", with: "<![CDATA[anna]]>@")
        #expect(try refusal(section) == .markupNotAllowed)
    }

    @Test("what is not well-formed is refused")
    func malformed() throws {
        let signed = try maker.signed()
        for text in [
            "", " ", "<", "<a", "<a>", "<a/><a/>", "<a b='1' b='2'/>", "<a:b/>", "<a xmlns:p=''/>",
            String(signed.dropLast()), signed + "x", signed + signed, "\u{0}" + signed,
            signed.replacing("</saml:Issuer>", with: "</saml:issuer>"),
        ] {
            #expect(try refusal(text) == .malformed, "\(text.prefix(40))")
        }
    }

    @Test("another encoding than UTF-8 is refused")
    func encodings() throws {
        let signed = try maker.signed()
        let named = #"<?xml version="1.0" encoding="UTF-16"?>"# + signed
        #expect(try refusal(named) == .malformed)
        let wide: [UInt8] =
            [0xFF, 0xFE]
            + signed.utf16.flatMap {
                [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
            }
        #expect(try maker.verify(bytes: wide).code == .malformed)
        #expect(try maker.verify(bytes: Array(signed.utf8) + [0xC0]).code == .malformed)
    }

    @Test("Attack 57: what is too large, too deep or too wide is refused")
    func bounds() throws {
        func wrap(_ inside: String) -> String { maker.assertion(inside) }
        #expect(try refusal(wrap(String(repeating: " ", count: 70_000))) == .tooLarge)
        let deep = String(repeating: "<b>", count: 40) + String(repeating: "</b>", count: 40)
        #expect(try refusal(wrap(deep)) == .tooLarge)
        // Deeper than libxml2 itself goes.
        let deeper = String(repeating: "<b>", count: 4000) + String(repeating: "</b>", count: 4000)
        #expect([.tooLarge, .malformed].contains(try refusal(wrap(deeper))))
        #expect(try refusal(wrap(String(repeating: "<b/>", count: 2001))) == .tooLarge)
        let wide = (0..<65).map { " a\($0)=''" }.joined()
        #expect(try refusal(wrap("<b\(wide)/>")) == .tooLarge)
    }

    @Test("no assertion with a byte changed is accepted as another")
    func mutations() throws {
        let signed = Array(try maker.signed().utf8)
        for index in stride(from: 0, to: signed.count, by: 3) {
            for flip in [UInt8(0x01), 0x20] {
                var bytes = signed
                bytes[index] ^= flip
                guard case .success(let accepted) = try maker.verify(bytes: bytes) else { continue }
                // White space between attributes, or Base64 characters with the same meaning.
                #expect(accepted.subject == "anna@example.com")
                #expect(accepted.expiresAt == now + .minutes(5))
            }
        }
    }
}
