// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Primitives
import SAML
import Support
import Testing

private let trust13 = "http://docs.oasis-open.org/ws-sx/ws-trust/200512"
private let trust2005 = "http://schemas.xmlsoap.org/ws/2005/02/trust"

/// A description as ADFS writes it, as far as it matters here.
private struct Description {
    var endpoints = [
        (
            "UserNameWSTrustBinding_IWSTrust13Async", trust13,
            "https://sts.example.com/13/usernamemixed"
        ),
        ("UserNameWSTrustBinding_IWSTrustFeb2005Async", trust2005, "https://sts.example.com/2005"),
    ]
    var token = "UsernameToken"
    var transport = "TransportBinding"
    var prolog = "<!-- made by hand -->"

    var bytes: [UInt8] {
        let policies = endpoints.map { name, _, _ in
            """
            <wsp:Policy wsu:Id="\(name)_policy"><wsp:ExactlyOne><wsp:All><sp:\(transport)/>
            <sp:SignedEncryptedSupportingTokens><wsp:Policy><sp:\(token)/></wsp:Policy>
            </sp:SignedEncryptedSupportingTokens></wsp:All></wsp:ExactlyOne></wsp:Policy>
            """
        }
        let bindings = endpoints.map { name, trust, _ in
            """
            <wsdl:binding name="\(name)"><wsp:PolicyReference URI="#\(name)_policy"/>
            <wsdl:operation name="Issue"><soap12:operation soapAction="\(trust)/RST/Issue"/>
            </wsdl:operation></wsdl:binding>
            """
        }
        let ports = endpoints.map { name, _, address in
            """
            <wsdl:port name="\(name)" binding="tns:\(name)">
            <soap12:address location="\(address)"/></wsdl:port>
            """
        }
        return Array(
            """
            \(prolog)<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"
            xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"
            xmlns:wsp="http://schemas.xmlsoap.org/ws/2004/09/policy"
            xmlns:sp="http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702"
            xmlns:wsu="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd">
            \((policies + bindings).joined())<wsdl:service>\(ports.joined())</wsdl:service>
            </wsdl:definitions>
            """.utf8)
    }

    func read() -> Result<MetadataExchange, SAMLRefusal> {
        do throws(SAMLRefusal) { return .success(try MetadataExchange(description: bytes)) } catch {
            return .failure(error)
        }
    }
}

@Suite("Where a token service is")
struct MetadataExchangeTests {
    @Test("WS-Trust 1.3 is taken before the version of 2005")
    func newest() throws {
        var description = Description()
        description.endpoints.reverse()
        let found = try description.read().get()
        #expect(found.version == .v13)
        #expect(found.endpoint == "https://sts.example.com/13/usernamemixed")
        description.endpoints.removeLast()
        #expect(try description.read().get().version == .v2005)
    }

    @Test("only https is taken, and only for a name and a password through it")
    func secure() throws {
        var description = Description()
        description.endpoints[0].2 = "http://sts.example.com/13"
        #expect(try description.read().get().version == .v2005)
        description.endpoints[1].2 = "ftp://sts.example.com"
        #expect(description.read().code == .endpointMissing)
        description = Description()
        description.token = "IssuedToken"
        #expect(description.read().code == .endpointMissing)
        description = Description()
        description.transport = "AsymmetricBinding"
        #expect(description.read().code == .endpointMissing)
        description = Description()
        description.endpoints = []
        #expect(description.read().code == .endpointMissing)
    }

    @Test("document types and what is no description are refused")
    func malformed() {
        var description = Description()
        description.prolog = "<!DOCTYPE a>"
        #expect(description.read().code == .markupNotAllowed)
        description.prolog = "<a>"
        #expect(description.read().code == .malformed)
        #expect(throws: SAMLRefusal.self) { try MetadataExchange(description: Array("<a/>".utf8)) }
    }
}

@Suite("Asking a token service")
struct SecurityTokenTests {
    private let maker = AssertionMaker()

    private func request(_ password: String = "pass & <word>") throws -> SecurityTokenRequest {
        SecurityTokenRequest(
            to: try Description().read().get(), appliesTo: audience, username: "anna@example.com",
            password: Secret(password), random: SeededRandom(seed: 3))
    }

    private func envelope(
        _ messageID: String, _ token: String,
        type: String? = "urn:oasis:names:tc:SAML:2.0:assertion",
        created: String = "2027-01-15T08:00:00Z", expires: String = "2027-01-15T08:05:00Z"
    ) -> [UInt8] {
        let named = type.map { "<t:TokenType>\($0)</t:TokenType>" } ?? ""
        return Array(
            """
            <s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"
            xmlns:a="http://www.w3.org/2005/08/addressing" xmlns:u="http://docs.oasis-open.org/wss/\
            2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"><s:Header>
            <a:RelatesTo>\(messageID)</a:RelatesTo><o:Security xmlns:o="http://docs.oasis-open.org/\
            wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"><u:Timestamp>
            <u:Created>\(created)</u:Created><u:Expires>\(expires)</u:Expires></u:Timestamp>
            </o:Security></s:Header><s:Body><t:RequestSecurityTokenResponseCollection
            xmlns:t="\(trust13)"><t:RequestSecurityTokenResponse>\(named)
            <t:RequestedSecurityToken>\(token)</t:RequestedSecurityToken>
            </t:RequestSecurityTokenResponse></t:RequestSecurityTokenResponseCollection></s:Body>
            </s:Envelope>
            """.utf8)
    }

    private func read(
        _ bytes: [UInt8], _ messageID: String
    ) -> Result<SecurityTokenResponse, SAMLRefusal> {
        do throws(SAMLRefusal) {
            return .success(
                try SecurityTokenResponse(
                    envelope: bytes, to: messageID, appliesTo: audience, now: now))
        } catch { return .failure(error) }
    }

    @Test("the request is an envelope with name, password and the audience of the assertion")
    func asks() throws {
        let request = try request()
        let text = String(decoding: request.envelope(now: now), as: UTF8.self)
        #expect(text.contains("<o:Password>pass &amp; &lt;word&gt;</o:Password>"))
        #expect(text.contains("<a:Address>\(audience)</a:Address>"))
        #expect(text.contains("<u:Created>2027-01-15T08:00:00Z</u:Created>"))
        #expect(text.contains("<u:Expires>2027-01-15T08:10:00Z</u:Expires>"))
        #expect(text.contains("<a:MessageID>\(request.messageID)</a:MessageID>"))
        #expect(request.messageID.count == 45 && request.messageID.hasPrefix("urn:uuid:"))
        #expect(request.action == trust13 + "/RST/Issue")
    }

    @Test("what a password may hold cannot become markup")
    func injection() throws {
        let text = String(
            decoding: try request("</o:Password>\u{1}\"'&#60;\r\n").envelope(now: now),
            as: UTF8.self)
        #expect(
            text.contains("<o:Password>&lt;/o:Password&gt;&quot;'&amp;#60;&#13;&#10;</o:Password>"))
    }

    @Test("the assertion is taken out of the answer so that its signature still holds")
    func answers() throws {
        let id = try request().messageID
        let signed = try maker.signed()
        let response = try read(envelope(id, signed), id).get()
        #expect(response.version == .v2)
        #expect(try maker.verify(bytes: response.assertion).get().subject == "anna@example.com")
        // Without a type, the assertion says itself what it is.
        #expect(try read(envelope(id, signed, type: nil), id).get() == response)
        var old = maker
        old.isOld = true
        let profile = "http://docs.oasis-open.org/wss/oasis-wss-saml-token-profile-1.1#SAMLV1.1"
        let other = try read(envelope(id, try old.signed(), type: profile), id).get()
        #expect(other.version == .v11)
        #expect(try old.verify(bytes: other.assertion).code == nil)
    }

    @Test("an answer to another request, or of another time, is refused")
    func context() throws {
        let id = try request().messageID
        let signed = try maker.signed()
        #expect(read(envelope("urn:uuid:x", signed), id).code == .contextMismatch)
        #expect(
            read(envelope(id, signed, created: "2027-01-15T08:06:00Z"), id).code == .notYetValid)
        #expect(read(envelope(id, signed, expires: "2027-01-15T07:55:00Z"), id).code == .expired)
        #expect(read(envelope(id, signed, expires: "later"), id).code == .timeMalformed)
    }

    @Test("what is no token, two tokens, or one of another type is refused")
    func tokens() throws {
        let id = try request().messageID
        let signed = try maker.signed()
        #expect(read(envelope(id, ""), id).code == .envelopeMalformed)
        #expect(read(envelope(id, signed + signed), id).code == .envelopeMalformed)
        #expect(read(envelope(id, "<a/>"), id).code == .tokenTypeUnsupported)
        #expect(read(envelope(id, signed, type: "urn:x"), id).code == .tokenTypeUnsupported)
        #expect(read(Array("<a/>".utf8), id).code == .envelopeMalformed)
    }

    @Test("a fault says why")
    func fault() throws {
        let text = """
            <s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Reason>
            <s:Text>ID3242: The security token could not be authenticated.</s:Text></s:Reason>
            </s:Fault></s:Body></s:Envelope>
            """
        let answer = read(Array(text.utf8), "urn:uuid:x")
        #expect(answer.code == .faulted)
        guard case .failure(let refusal) = answer else { return }
        #expect(refusal.reason.hasPrefix("ID3242"))
    }

    @Test("a fault says whether it is name and password that are not right")
    func faultOfCredentials() throws {
        func fault(_ subcode: String) -> [UInt8] {
            Array(
                """
                <s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:t="\(trust13)">
                <s:Body><s:Fault><s:Code><s:Value>s:Sender</s:Value>\(subcode)</s:Code><s:Reason>
                <s:Text>no</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>
                """.utf8)
        }
        func code(_ value: String) -> SAMLRefusal.Code? {
            read(fault("<s:Subcode><s:Value>\(value)</s:Value></s:Subcode>"), "urn:uuid:x").code
        }
        #expect(code("t:FailedAuthentication") == .authenticationFailed)
        #expect(code(" wsse:FailedAuthentication ") == .authenticationFailed)
        for other in ["t:FailedAuthentications", "t:RequestFailed", "", "FailedAuthentication:x"] {
            #expect(code(other) == .faulted)
        }
        // A sentence about it is none.
        #expect(read(fault("<s:Text>FailedAuthentication</s:Text>"), "x").code == .faulted)
    }

    @Test("a response for another realm is refused")
    func otherRealm() throws {
        let id = try request().messageID
        let signed = try maker.signed()
        func answer(_ realm: String) -> [UInt8] {
            let applies = """
                <p:AppliesTo xmlns:p="http://schemas.xmlsoap.org/ws/2004/09/policy">\
                <a:EndpointReference><a:Address>\(realm)</a:Address></a:EndpointReference>\
                </p:AppliesTo><t:RequestedSecurityToken>
                """
            let text = String(decoding: envelope(id, signed), as: UTF8.self)
            return Array(text.replacing("<t:RequestedSecurityToken>", with: applies).utf8)
        }
        #expect(read(answer(audience), id).code == nil)
        #expect(read(answer("urn:other"), id).code == .contextMismatch)
        #expect(read(answer(""), id).code == .contextMismatch)
    }
}
