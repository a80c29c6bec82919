// SPDX-License-Identifier: Apache-2.0
package import Crypto
package import JOSE
package import Primitives

/// An issuer with a P-256 key, and a valid assertion; tests corrupt a part of it. The canonical
/// forms are written by hand, so that they do not depend on libxml2.
package struct SAMLAssertionMaker: Sendable {
    /// 2027-01-15T08:00:00Z, the time of the tests' clocks.
    package static let now = Timestamp(seconds: 1_800_000_000)
    package static let issuer = "http://sts.example.com/adfs/services/trust"
    package static let audience = "urn:federation:gatehouse"
    package static let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"
    package static let signatureNamespace = "http://www.w3.org/2000/09/xmldsig#"

    package var key = P256.Signing.PrivateKey()
    package var signer: P256.Signing.PrivateKey?
    /// SAML 1.1 in place of 2.0.
    package var isOld = false
    package var identifier = "_a1"
    package var issuerName = Self.issuer
    package var issued = "2027-01-15T07:59:30Z"
    package var begin = "2027-01-15T07:59:30Z"
    package var end = "2027-01-15T08:05:00Z"
    package var audienceElement = "<saml:Audience>\(Self.audience)</saml:Audience>"
    package var moreConditions = ""
    package var subject = "anna@example.com"
    package var confirmation = #" Method="urn:oasis:names:tc:SAML:2.0:cm:bearer""#
    package var confirmationData = """
        <saml:SubjectConfirmationData NotOnOrAfter="2027-01-15T08:05:00Z">\
        </saml:SubjectConfirmationData>
        """
    package var more = """
        <saml:AuthnStatement AuthnInstant="2027-01-15T07:59:00Z"></saml:AuthnStatement>\
        <saml:AttributeStatement><saml:Attribute Name="upn"><saml:AttributeValue>\
        anna@corp.example.com</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>
        """
    package var signatureMethod = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"
    package var digestMethod = "http://www.w3.org/2001/04/xmlenc#sha256"
    package var canonicalization = Self.exclusive
    package var transforms = [Self.signatureNamespace + "enveloped-signature", Self.exclusive]
    package var uri: String?
    /// What is hashed in place of the assertion.
    package var hashed: String?
    /// After the signature value.
    package var signatureTail = ""

    package var content: String {
        """
        <saml:Subject><saml:NameID>\(subject)</saml:NameID><saml:SubjectConfirmation\
        \(confirmation)>\(confirmationData)</saml:SubjectConfirmation></saml:Subject>\
        <saml:Conditions NotBefore="\(begin)" NotOnOrAfter="\(end)"><saml:AudienceRestriction>\
        \(audienceElement)</saml:AudienceRestriction>\(moreConditions)</saml:Conditions>\(more)
        """
    }

    /// The canonical form, with something after the issuer: nothing, or the signature.
    package func assertion(_ signature: String = "") -> String {
        guard !isOld else { return oldAssertion(signature) }
        return """
            <saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="\(identifier)" \
            IssueInstant="\(issued)" Version="2.0"><saml:Issuer>\(issuerName)</saml:Issuer>\
            \(signature)\(content)</saml:Assertion>
            """
    }

    /// SAML 1.1, whose signature comes last.
    private func oldAssertion(_ signature: String) -> String {
        let subject = """
            <saml:Subject><saml:NameIdentifier>\(subject)</saml:NameIdentifier>\
            <saml:SubjectConfirmation><saml:ConfirmationMethod>\
            urn:oasis:names:tc:SAML:1.0:cm:bearer</saml:ConfirmationMethod>\
            </saml:SubjectConfirmation></saml:Subject>
            """
        return """
            <saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:1.0:assertion" \
            AssertionID="\(identifier)" IssueInstant="\(issued)" Issuer="\(issuerName)" \
            MajorVersion="1" MinorVersion="1"><saml:Conditions NotBefore="\(begin)" \
            NotOnOrAfter="\(end)"><saml:AudienceRestrictionCondition>\(audienceElement)\
            </saml:AudienceRestrictionCondition>\(moreConditions)</saml:Conditions>\
            <saml:AttributeStatement>\(subject)<saml:Attribute AttributeName="upn" \
            AttributeNamespace="http://schemas.example.com"><saml:AttributeValue>\
            anna@corp.example.com</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>\
            <saml:AuthenticationStatement AuthenticationInstant="2027-01-15T07:59:00Z">\(subject)\
            </saml:AuthenticationStatement>\(signature)</saml:Assertion>
            """
    }

    /// `SignedInfo` without its own namespace declaration, then with it as it is signed.
    package func signedInfo(over content: String, declared: Bool) -> String {
        let digest = Base64.encode(Array(SHA256.hash(data: Array(content.utf8))))
        let steps = transforms.map { #"<ds:Transform Algorithm="\#($0)"></ds:Transform>"# }.joined()
        let namespace = declared ? #" xmlns:ds="\#(Self.signatureNamespace)""# : ""
        return """
            <ds:SignedInfo\(namespace)><ds:CanonicalizationMethod Algorithm="\(canonicalization)">\
            </ds:CanonicalizationMethod><ds:SignatureMethod Algorithm="\(signatureMethod)">\
            </ds:SignatureMethod><ds:Reference URI="\(uri ?? "#" + identifier)"><ds:Transforms>\
            \(steps)</ds:Transforms><ds:DigestMethod Algorithm="\(digestMethod)">\
            </ds:DigestMethod><ds:DigestValue>\(digest)</ds:DigestValue></ds:Reference>\
            </ds:SignedInfo>
            """
    }

    package func signature() throws -> String {
        let content = hashed ?? assertion()
        let input = Array(signedInfo(over: content, declared: true).utf8)
        let value = try (signer ?? key).signature(for: SHA256.hash(data: input)).rawRepresentation
        return """
            <ds:Signature xmlns:ds="\(Self.signatureNamespace)">\
            \(signedInfo(over: content, declared: false))<ds:SignatureValue>\
            \(Base64.encode(Array(value)))</ds:SignatureValue>\(signatureTail)</ds:Signature>
            """
    }

    package func signed() throws -> String { assertion(try signature()) }

    package var publicKey: PublicJWK {
        get throws {
            let point = Array(key.publicKey.rawRepresentation)
            return try PublicJWK(
                .ellipticCurve(.p256, x: Array(point.prefix(32)), y: Array(point.suffix(32))),
                parameters: KeyParameters())
        }
    }

    package init() {}

    /// What an assertion is told from another by, for the next one.
    package mutating func renew() { identifier = "_" + String(UInt64.random(in: 1...UInt64.max)) }
}
