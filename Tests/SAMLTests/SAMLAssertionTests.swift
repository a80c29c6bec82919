// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Crypto
import JOSE
import Primitives
import SAML
import Testing

@Suite("An assertion of a token service")
struct SAMLAssertionTests {
    @Test("of SAML 2.0 is verified, and says who signed in, when")
    func current() throws {
        let verified = try AssertionMaker().verify().get()
        #expect(verified.subject == "anna@example.com")
        #expect(verified.attributes == ["upn": ["anna@corp.example.com"]])
        #expect(verified.identifier == "_a1")
        #expect(verified.issuer == issuer)
        #expect(verified.expiresAt == now + .minutes(5))
        #expect(verified.authenticatedAt == now - .minutes(1))
    }

    @Test("of SAML 1.1 is verified")
    func old() throws {
        var maker = AssertionMaker()
        maker.isOld = true
        let verified = try maker.verify().get()
        #expect(verified.subject == "anna@example.com")
        #expect(
            verified.attributes == ["http://schemas.example.com/upn": ["anna@corp.example.com"]])
        #expect(verified.authenticatedAt == now - .minutes(1))
    }

    @Test("is verified in another spelling of the same: order, quotes, spaces, references")
    func spelling() throws {
        let maker = AssertionMaker()
        let text = try maker.signed()
            .replacing(
                #"ID="_a1" IssueInstant="2027-01-15T07:59:30Z" Version="2.0""#,
                with: "  Version = '2.0'\n IssueInstant='2027-01-15T07:59:30Z' ID='_a&#49;' "
            )
            .replacing(
                "></saml:AuthnStatement>", with: " \n />"
            )
            .replacing("anna@example.com", with: "&#x61;nna@example.com")
        #expect(try maker.verify(text).get().subject == "anna@example.com")
        let declared = #"<?xml version="1.0" encoding="UTF-8"?>"# + text
        #expect(try maker.verify(declared).get().subject == "anna@example.com")
    }

    @Test(
        "is hashed with the namespaces that its list names, and without others that it does not use"
    )
    func inclusiveNamespaces() throws {
        var maker = AssertionMaker()
        maker.more = #"<saml:AttributeStatement xmlns:xs="urn:x"></saml:AttributeStatement>"#
        // Named in the list, `xs` is rendered where it is declared although nothing uses it.
        let signed = try maker.signed().replacing(
            #"<ds:Transform Algorithm="\#(exclusive)"></ds:Transform>"#,
            with: """
                <ds:Transform Algorithm="\(exclusive)"><ec:InclusiveNamespaces \
                xmlns:ec="\(exclusive)" PrefixList="xs"></ec:InclusiveNamespaces></ds:Transform>
                """)
        // SignedInfo is another then; what matters is that the digest still holds.
        #expect(try maker.verify(signed).code == .signatureInvalid)
        #expect(try maker.verify().code == .digestMismatch)
    }

    @Test("is verified with each algorithm that is taken", arguments: [2048, 3072])
    func rsa(_ bits: Int) throws {
        let key = try PrivateJWK.generate(for: .rs256, rsaBits: bits)
        var maker = AssertionMaker()
        maker.signatureMethod = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
        let input = Array(maker.signedInfo(over: maker.assertion(), declared: true).utf8)
        let value = try JOSESigner(key, algorithm: .rs256).signature(over: input)
        let text = maker.assertion(
            """
            <ds:Signature xmlns:ds="\(signatureNamespace)">\
            \(maker.signedInfo(over: maker.assertion(), declared: false))<ds:SignatureValue>
            \(Base64.encode(value))
            </ds:SignatureValue></ds:Signature>
            """)
        let verifier = SAMLAssertionVerifier(
            issuers: [.init(name: issuer, keys: [key.publicKey])], audiences: [audience])
        #expect(verifier.verify(Array(text.utf8), as: .v2, now: now).code == nil)
        #expect(try maker.verify(text).code == .signatureInvalid)
    }

    // MARK: Issuer, times, audience

    @Test("of another issuer is refused, whatever its signer")
    func otherIssuer() throws {
        #expect(try AssertionMaker.code { $0.issuerName = issuer + "/x" } == .issuerUnknown)
        #expect(try AssertionMaker.code { $0.issuerName = "" } == .issuerUnknown)
    }

    @Test("in the other version than it came as is refused")
    func otherVersion() throws {
        var maker = AssertionMaker()
        let text = try maker.signed()
        maker.isOld = true
        #expect(try maker.verify(text).code == .notAnAssertion)
        let wrong = AssertionMaker()
        let changed = wrong.assertion().replacing(
            #"Version="2.0""#, with: #"Version="2.1""#)
        var resigned = wrong
        resigned.hashed = changed
        let signature = try resigned.signature()
        let whole = changed.replacing("</saml:Issuer>", with: "</saml:Issuer>\(signature)")
        #expect(try resigned.verify(whole).code == .versionMismatch)
    }

    @Test("Attack 54: before its time and after it is refused; clocks may differ by a minute")
    func times() throws {
        let maker = AssertionMaker()
        #expect(try maker.verify(at: now + .minutes(6)).code == .expired)
        #expect(try maker.verify(at: now + .minutes(6) - .seconds(1)).code == nil)
        #expect(try maker.verify(at: now - .seconds(91)).code == .notYetValid)
        #expect(try maker.verify(at: now - .seconds(90)).code == nil)
    }

    @Test("without an end, or for days, is refused")
    func endless() throws {
        #expect(
            try AssertionMaker.code { $0.end = "2027-01-17T08:00:00Z" } == .lifetimeTooLong)
        #expect(try AssertionMaker.code { $0.end = "soon" } == .timeMalformed)
        #expect(try AssertionMaker.code { $0.end = "2027-01-15T08:05:00+00:00" } == .timeMalformed)
        var maker = AssertionMaker()
        maker.begin = #"2027-01-15T07:59:30Z" Wrong=""#
        #expect(try maker.verify().code != nil)
    }

    @Test("Attack 54: for another audience, or without one, is refused")
    func audiences() throws {
        #expect(
            try AssertionMaker.code { $0.audienceElement = "<saml:Audience>urn:x</saml:Audience>" }
                == .audienceMismatch)
        #expect(try AssertionMaker.code { $0.audienceElement = "" } == .audienceMismatch)
        let second =
            "<saml:AudienceRestriction><saml:Audience>urn:x</saml:Audience>"
            + "</saml:AudienceRestriction>"
        #expect(try AssertionMaker.code { $0.moreConditions = second } == .audienceMismatch)
    }

    @Test("with an unknown condition is refused; one of use once is met")
    func conditions() throws {
        #expect(
            try AssertionMaker.code { $0.moreConditions = "<saml:Weather></saml:Weather>" }
                == .conditionUnknown)
        #expect(
            try AssertionMaker.code { $0.moreConditions = "<saml:OneTimeUse></saml:OneTimeUse>" }
                == nil)
    }

    @Test("whose subject must be confirmed in another way than by bearing it is refused")
    func confirmation() throws {
        #expect(
            try AssertionMaker.code {
                $0.confirmation = #" Method="urn:oasis:names:tc:SAML:2.0:cm:holder-of-key""#
            } == .confirmationRefused)
        #expect(
            try AssertionMaker.code {
                $0.confirmationData = $0.confirmationData.replacing(
                    "08:05:00", with: "07:58:00")
            } == .confirmationRefused)
    }

    @Test(
        "Attack 54: sent to another recipient is refused", arguments: ["https://evil.example", ""])
    func recipient(_ name: String) throws {
        func data(_ name: String) -> String {
            #"<saml:SubjectConfirmationData Recipient="\#(name)"></saml:SubjectConfirmationData>"#
        }
        #expect(
            try AssertionMaker.code { $0.confirmationData = data(name) } == .confirmationRefused)
        let own = "https://id.example.com/platform-sso/token"
        #expect(try AssertionMaker.code { $0.confirmationData = data(own) } == nil)
    }

    @Test("without a subject, or with two, is refused")
    func subjects() throws {
        #expect(try AssertionMaker.code { $0.subject = " " } == .subjectMissing)
        #expect(
            try AssertionMaker.code {
                $0.subject = "anna</saml:NameID><saml:NameID>bea"
            } == .subjectMissing)
        #expect(
            try AssertionMaker.code { $0.subject = "anna<saml:b></saml:b>" } == .subjectMissing)
    }
}
