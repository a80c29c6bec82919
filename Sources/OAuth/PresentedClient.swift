// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The claimed client of a request and its proof. It is not verified.
package struct PresentedClient: Sendable {
    package enum Proof: Sendable {
        case none
        case secret(Secret)
        /// A JWT of RFC 7523 section 2.2.
        case assertion(String)
    }

    package let clientID: String
    package let method: ClientAuthenticationMethod
    package let proof: Proof
    /// Whether a refusal must be a challenge (401 with `WWW-Authenticate`, RFC 6749 section 5.2).
    package var usedAuthorizationHeader: Bool { method == .clientSecretBasic }

    package enum ParseError: Error, Equatable {
        /// More than one way at once, or parts that contradict one another.
        case invalidRequest(String)
        /// No client is named, or the header cannot be read.
        case invalidClient(String)
    }

    /// `client_assertion_type` of RFC 7523 section 2.2.
    package static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// Reads the claimed client of a request.
    ///
    /// - Parameters:
    ///   - authorization: The value of the `Authorization` header, if there is one.
    ///   - form: The parameters of the body.
    package static func read(
        authorization: String?, form: [String: String]
    ) throws(ParseError) -> PresentedClient {
        let hasAssertion = form["client_assertion"] != nil || form["client_assertion_type"] != nil
        let ways = [authorization != nil, form["client_secret"] != nil, hasAssertion]
        guard ways.count(where: { $0 }) <= 1 else {
            throw .invalidRequest("authenticate the client in one way, not in several")
        }
        if let authorization { return try read(basic: authorization, form: form) }
        if hasAssertion { return try read(assertion: form) }
        guard let clientID = form["client_id"], !clientID.isEmpty else {
            throw .invalidClient("client_id is missing")
        }
        guard let secret = form["client_secret"] else {
            return PresentedClient(clientID: clientID, method: .none, proof: .none)
        }
        return PresentedClient(
            clientID: clientID, method: .clientSecretPost, proof: .secret(Secret(secret)))
    }

    /// RFC 6749 section 2.3.1: both parts are form-encoded before they are joined.
    private static func read(
        basic header: String, form: [String: String]
    ) throws(ParseError) -> PresentedClient {
        guard header.utf8.count <= 4096,
            let space = header.utf8.firstIndex(of: UInt8(ascii: " ")),
            header[..<space].lowercased() == "basic",
            let decoded = Base64.decode(header[header.utf8.index(after: space)...]),
            let colon = decoded.firstIndex(of: UInt8(ascii: ":")),
            let clientID = FormEncoding.decode(decoded[..<colon]), !clientID.isEmpty,
            let secret = FormEncoding.decode(decoded[decoded.index(after: colon)...])
        else { throw .invalidClient("the Authorization header cannot be read as Basic") }
        if let named = form["client_id"], named != clientID {
            throw .invalidRequest("client_id differs from the Authorization header")
        }
        return PresentedClient(
            clientID: clientID, method: .clientSecretBasic, proof: .secret(Secret(secret)))
    }

    private static func read(assertion form: [String: String]) throws(ParseError) -> PresentedClient
    {
        guard let assertion = form["client_assertion"],
            form["client_assertion_type"] == assertionType
        else { throw .invalidRequest("client_assertion_type must be \(assertionType)") }
        guard let clientID = form["client_id"] ?? ClientAssertion.subject(of: assertion) else {
            throw .invalidClient("the client assertion names no client")
        }
        return PresentedClient(
            clientID: clientID, method: .privateKeyJWT, proof: .assertion(assertion))
    }
}
