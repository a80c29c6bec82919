// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Synchronization
import UserClient

/// A provider that sends passwords to a token service, and that service. It answers rightly, and then wrongly,
/// as it is told.
final class PlayedTokenService: WebTransport {
    enum Fault: String, Sendable, CaseIterable {
        case otherHost, plainEndpoint, noEndpoint, notXML, descriptionRedirect, descriptionAway
        case redirect, otherRealm, otherRequest, expired, early, twoTokens, noToken, fault
        case faultWithToken, oversized, away
    }

    static let host = "https://sts.example.com"
    static let realm = "urn:federation:gatehouse"
    static let assertion =
        #"<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_1"></saml:Assertion>"#

    private struct State {
        var fault: Fault?
        var isFederated = true
        var preauthentication = 200
        /// The messages that were sent, with their recipients.
        var sent: [(url: String, body: String)] = []
    }

    private let state = Mutex(State())
    private let provider: any WebTransport

    init(provider: any WebTransport) { self.provider = provider }

    func fail(_ fault: Fault?) { state.withLock { $0.fault = fault } }
    func federate(_ isFederated: Bool) { state.withLock { $0.isFederated = isFederated } }
    func answerWho(_ status: Int) { state.withLock { $0.preauthentication = status } }

    /// Hosts that were sent the password in clear text.
    var told: [String] {
        state.withLock { state in
            state.sent.filter { $0.body.contains(PlayedProvider.password) }.map(\.url)
        }
    }

    var requests: [String] { state.withLock { $0.sent.map(\.url) } }

    func answer(to request: WebRequest) async throws -> WebResponse {
        let body = String(decoding: request.body ?? [], as: UTF8.self)
        let (fault, isFederated, status) = state.withLock { state in
            state.sent.append((request.url, body))
            return (state.fault, state.isFederated, state.preauthentication)
        }
        switch request.url {
        case PlayedProvider.issuer + "/who?user=anna%40example.com":
            let answer: JSONValue = [
                "federated": .bool(isFederated),
                "federation_metadata_url": .string(Self.host + "/mex"),
            ]
            return WebResponse(status: status, body: answer.bytes)
        case Self.host + "/mex": return try description(fault)
        case Self.host + "/trust/13": return try answer(body, fault)
        default: return try await provider.answer(to: request)
        }
    }

    // MARK: What it says of itself

    private func description(_ fault: Fault?) throws -> WebResponse {
        let endpoint =
            switch fault {
            case .otherHost: "https://sts.example.net/trust/13"
            case .plainEndpoint: "http://sts.example.com/trust/13"
            default: Self.host + "/trust/13"
            }
        let trust = "http://docs.oasis-open.org/ws-sx/ws-trust/200512"
        let utility =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
        let text = """
            <w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" \
            xmlns:s="http://schemas.xmlsoap.org/wsdl/soap12/" \
            xmlns:p="http://schemas.xmlsoap.org/ws/2004/09/policy" \
            xmlns:sp="http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702" \
            xmlns:u="\(utility)"><p:Policy u:Id="P"><sp:TransportBinding/><sp:UsernameToken/>\
            </p:Policy><w:binding name="B"><p:PolicyReference URI="#P"/><w:operation name="I">\
            <s:operation soapAction="\(trust)/RST/Issue"/></w:operation></w:binding><w:service>\
            <w:port name="B" binding="t:B" xmlns:t="urn:t"><s:address location="\(endpoint)"/>\
            </w:port></w:service></w:definitions>
            """
        switch fault {
        case .descriptionAway: throw NoProvider.Away()
        case .descriptionRedirect: return WebResponse(status: 302, body: Array(text.utf8))
        case .notXML: return WebResponse(status: 200, body: Array("<html>".utf8))
        case .noEndpoint:
            let none = text.replacing("UsernameToken", with: "IssuedToken")
            return WebResponse(status: 200, body: Array(none.utf8))
        default: return WebResponse(status: 200, body: Array(text.utf8))
        }
    }

    // MARK: What it answers

    private func answer(_ request: String, _ fault: Fault?) throws -> WebResponse {
        guard fault != .away else { throw NoProvider.Away() }
        let isRight = request.contains("<o:Password>\(PlayedProvider.password)</o:Password>")
        guard isRight, request.contains("<a:Address>\(Self.realm)</a:Address>") else {
            return refusal("FailedAuthentication", "ID3242: nobody is called that")
        }
        switch fault {
        case .redirect: return WebResponse(status: 307, body: [])
        case .fault: return refusal("RequestFailed", "ID3082: the request scope is not valid")
        case .oversized:
            return WebResponse(status: 200, body: [UInt8](repeating: 0x41, count: 300_000))
        default: break
        }
        let text = envelope(messageID(request), fault)
        return WebResponse(status: fault == .faultWithToken ? 500 : 200, body: Array(text.utf8))
    }

    private func messageID(_ request: String) -> String {
        guard let start = request.firstRange(of: "<a:MessageID>") else { return "" }
        return String(request[start.upperBound...].prefix { $0 != "<" })
    }

    private func envelope(_ messageID: String, _ fault: Fault?) -> String {
        let (created, expires) =
            switch fault {
            case .expired: ("2027-01-15T07:00:00Z", "2027-01-15T07:05:00Z")
            case .early: ("2027-01-15T09:00:00Z", "2027-01-15T09:05:00Z")
            default: ("2027-01-15T08:00:00Z", "2027-01-15T08:05:00Z")
            }
        let token =
            switch fault {
            case .noToken: ""
            case .twoTokens: Self.assertion + Self.assertion
            default: Self.assertion
            }
        let security = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-"
        return """
            <s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" \
            xmlns:a="http://www.w3.org/2005/08/addressing" xmlns:u="\(security)utility-1.0.xsd" \
            xmlns:o="\(security)secext-1.0.xsd"><s:Header><a:RelatesTo>\
            \(fault == .otherRequest ? "urn:uuid:other" : messageID)</a:RelatesTo><o:Security>\
            <u:Timestamp><u:Created>\(created)</u:Created><u:Expires>\(expires)</u:Expires>\
            </u:Timestamp></o:Security></s:Header><s:Body>\
            <t:RequestSecurityTokenResponse xmlns:t="http://docs.oasis-open.org/ws-sx/ws-trust/200512">\
            <p:AppliesTo xmlns:p="http://schemas.xmlsoap.org/ws/2004/09/policy"><a:EndpointReference>\
            <a:Address>\(fault == .otherRealm ? "urn:other" : Self.realm)</a:Address>\
            </a:EndpointReference></p:AppliesTo><t:RequestedSecurityToken>\(token)\
            </t:RequestedSecurityToken></t:RequestSecurityTokenResponse></s:Body></s:Envelope>
            """
    }

    private func refusal(_ subcode: String, _ reason: String) -> WebResponse {
        let text = """
            <s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code>\
            <s:Value>s:Sender</s:Value><s:Subcode><s:Value xmlns:w="urn:w">w:\(subcode)</s:Value>\
            </s:Subcode></s:Code><s:Reason><s:Text xml:lang="en">\(reason)</s:Text></s:Reason>\
            </s:Fault></s:Body></s:Envelope>
            """
        return WebResponse(status: 500, body: Array(text.utf8))
    }
}
