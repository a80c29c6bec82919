// SPDX-License-Identifier: Apache-2.0

/// The two versions of WS-Trust of security token services; macOS prefers the newer.
package enum TrustVersion: Sendable, CaseIterable {
    /// WS-Trust 1.3 (OASIS, 2007).
    case v13
    /// WS-Trust of February 2005.
    case v2005

    var namespace: String {
        switch self {
        case .v13: "http://docs.oasis-open.org/ws-sx/ws-trust/200512"
        case .v2005: "http://schemas.xmlsoap.org/ws/2005/02/trust"
        }
    }

    /// `Action` of a request to issue a token.
    var issueAction: String { namespace + "/RST/Issue" }
    var requestType: String { namespace + "/Issue" }
    /// The key type of a bearer token, which has no key.
    var keyType: String {
        switch self {
        case .v13: namespace + "/Bearer"
        case .v2005: "http://schemas.xmlsoap.org/ws/2005/05/identity/NoProofKey"
        }
    }
}

extension Namespace {
    static let soap = "http://www.w3.org/2003/05/soap-envelope"
    static let addressing = "http://www.w3.org/2005/08/addressing"
    static let policy = "http://schemas.xmlsoap.org/ws/2004/09/policy"
    static let description = "http://schemas.xmlsoap.org/wsdl/"
    static let soapDescription = "http://schemas.xmlsoap.org/wsdl/soap12/"
    private static let security =
        "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-"
    static let securityExtension = security + "secext-1.0.xsd"
    static let securityUtility = security + "utility-1.0.xsd"
}
