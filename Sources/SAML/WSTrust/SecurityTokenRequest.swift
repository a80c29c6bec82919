// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A request for an assertion with a username and a password (Apple "Performing a WS-Trust login
/// request"; WS-Trust 1.3 section 4, WS-Security UsernameToken Profile section 3).
package struct SecurityTokenRequest: Sendable {
    package let endpoint: MetadataExchange
    /// `federationRequestURN`: the audience of the assertion.
    package let appliesTo: String
    /// The identifier to which the response must relate: `urn:uuid:…`.
    package let messageID: String
    private let username: String
    private let password: Secret

    package init(
        to endpoint: MetadataExchange, appliesTo: String, username: String, password: Secret,
        random: some RandomSource
    ) {
        self.endpoint = endpoint
        self.appliesTo = appliesTo
        self.username = username
        self.password = password
        messageID = "urn:uuid:" + UUIDText.encode(UUIDText.marked(random.bytes(16), version: 4))
    }

    /// `Content-Type` of the POST, and `SOAPAction` in it.
    package var mediaType: String { "application/soap+xml; charset=utf-8" }
    package var action: String { endpoint.version.issueAction }

    /// The lifetime of the message.
    private static let lifetime = TimeSpan.minutes(10)

    /// Returns the SOAP envelope. It contains the password in clear text, so it requires TLS.
    package func envelope(now: Timestamp) -> [UInt8] {
        Array(
            """
            <s:Envelope xmlns:s="\(Namespace.soap)" xmlns:a="\(Namespace.addressing)" \
            xmlns:u="\(Namespace.securityUtility)"><s:Header>\
            <a:Action s:mustUnderstand="1">\(action)</a:Action>\
            <a:MessageID>\(messageID)</a:MessageID><a:ReplyTo><a:Address>\
            \(Namespace.addressing)/anonymous</a:Address></a:ReplyTo>\
            <a:To s:mustUnderstand="1">\(XMLEscaping.escaped(endpoint.endpoint))</a:To>\
            \(security(now))</s:Header><s:Body>\(request)</s:Body></s:Envelope>
            """.utf8)
    }

    private func security(_ now: Timestamp) -> String {
        """
        <o:Security xmlns:o="\(Namespace.securityExtension)" s:mustUnderstand="1">\
        <u:Timestamp u:Id="_0"><u:Created>\(XMLDateTime.text(now))</u:Created>\
        <u:Expires>\(XMLDateTime.text(now + Self.lifetime))</u:Expires></u:Timestamp>\
        <o:UsernameToken u:Id="_1"><o:Username>\(XMLEscaping.escaped(username))</o:Username>\
        <o:Password>\(XMLEscaping.escaped(password.revealText()))</o:Password></o:UsernameToken>\
        </o:Security>
        """
    }

    private var request: String {
        let version = endpoint.version
        return """
            <t:RequestSecurityToken xmlns:t="\(version.namespace)">\
            <p:AppliesTo xmlns:p="\(Namespace.policy)"><a:EndpointReference><a:Address>\
            \(XMLEscaping.escaped(appliesTo))</a:Address></a:EndpointReference></p:AppliesTo>\
            <t:KeyType>\(version.keyType)</t:KeyType>\
            <t:RequestType>\(version.requestType)</t:RequestType></t:RequestSecurityToken>
            """
    }
}

/// Text in a document.
enum XMLEscaping {
    /// Returns the text with markup as references, and without characters that XML does not allow.
    static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "&": output += "&amp;"
            case "\"": output += "&quot;"
            case "\t", "\n", "\r": output += "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                continue
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
