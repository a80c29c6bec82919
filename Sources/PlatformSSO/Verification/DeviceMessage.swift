// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A parsed message with a claimed signature of a device key, not verified. Use its content only to
/// find the records for its verification.
package struct DeviceMessage: Sendable {
    let jws: UnverifiedJWS
    let claims: MessageClaims
    /// `kid`: the claimed device key.
    package let signingKeyID: KeyIdentifier

    /// - Throws: `tooLarge`, `malformed`, `keyIDMalformed`.
    init(compact bytes: [UInt8]) throws(PlatformSSORefusal) {
        do throws(JOSEError) { jws = try UnverifiedJWS(compact: bytes) } catch {
            throw PlatformSSORefusal(error)
        }
        claims = try MessageClaims(payload: jws.payload)
        guard let keyID = jws.header.keyID.flatMap({ KeyIdentifier($0) }) else {
            throw PlatformSSORefusal(.keyIDMalformed, "kid is not a SHA-256 hash in Base64")
        }
        signingKeyID = keyID
    }

    package var header: JOSEHeader { jws.header }

    /// `username`, otherwise `sub`; refresh requests contain neither.
    package var username: String? {
        (claims.members["username"] ?? claims.members["sub"])?.string
    }

    /// Whether the message has the form of the SDK of macOS 13. It has no specific types, and its
    /// first documents omitted `exp`, `iss` and `sub`.
    var isFirstGeneration: Bool { header.isType(MessageType.firstGeneration) }

    func isType(_ type: MessageType) -> Bool { header.isType(type.rawValue) }
}

/// A device's request, sorted by its type: only a ``RequestVerifier`` makes the verified form.
package enum UnverifiedRequest: Sendable {
    case login(UnverifiedLoginRequest)
    case refresh(UnverifiedRefreshRequest)
    case key(UnverifiedKeyRequest)
    case authorization(UnverifiedAuthorizationRequest)

    /// Reads a compact JWS. Requests with the type `JWT` of macOS 13 are sorted by their claims.
    ///
    /// - Throws: `tooLarge`, `malformed`, `keyIDMalformed`, `typeMismatch`.
    package init(compact bytes: [UInt8]) throws(PlatformSSORefusal) {
        let message = try DeviceMessage(compact: bytes)
        let type = MessageType.allCases.first(where: message.isType)
        let grant = message.claims.members["grant_type"]?.string
        switch type {
        case .loginRequest: self = .login(UnverifiedLoginRequest(message))
        // Apple's example with a Secure Enclave key has the assertion's type outside as well.
        case .loginAssertion where message.claims.members["jwe_crypto"] != nil:
            self = .login(UnverifiedLoginRequest(message))
        case .refreshRequest: self = .refresh(UnverifiedRefreshRequest(message))
        case .keyRequest, .keyExchangeRequest: self = .key(UnverifiedKeyRequest(message))
        case .authorizationRequest:
            self = .authorization(UnverifiedAuthorizationRequest(message))
        case nil where message.isFirstGeneration && grant == GrantType.refreshToken.rawValue:
            self = .refresh(UnverifiedRefreshRequest(message))
        case nil where message.isFirstGeneration && grant != nil:
            self = .login(UnverifiedLoginRequest(message))
        default:
            throw PlatformSSORefusal(
                .typeMismatch, "typ \(message.header.type ?? "absent") is not of a request")
        }
    }

    package var message: DeviceMessage {
        switch self {
        case .login(let request): request.message
        case .refresh(let request): request.message
        case .key(let request): request.message
        case .authorization(let request): request.message
        }
    }
}

/// An unverified login request (Apple "Creating and validating a login request").
package struct UnverifiedLoginRequest: Sendable {
    package let message: DeviceMessage
    /// The assertion, for finding the key that signed it or to which it is encrypted.
    package let assertion: UnverifiedEmbeddedAssertion?

    /// The reason why there is no assertion.
    let assertionRefusal: PlatformSSORefusal

    fileprivate init(_ message: DeviceMessage) {
        self.message = message
        var assertion: UnverifiedEmbeddedAssertion?
        var refusal = PlatformSSORefusal(.claimMissing, "assertion is missing")
        let grant = message.claims.members["grant_type"]?.string
        if grant == GrantType.jwtBearer.rawValue,
            let text = message.claims.members["assertion"]?.string
        {
            do throws(PlatformSSORefusal) {
                assertion = try UnverifiedEmbeddedAssertion(compact: Array(text.utf8))
            } catch { refusal = error }
        }
        self.assertion = assertion
        assertionRefusal = refusal
    }
}

/// An unverified refresh request (Apple "Creating a refresh request").
package struct UnverifiedRefreshRequest: Sendable {
    package let message: DeviceMessage
    fileprivate init(_ message: DeviceMessage) { self.message = message }
}

/// An unverified key request or key exchange (Apple "Supporting key requests and key exchange
/// requests").
package struct UnverifiedKeyRequest: Sendable {
    package let message: DeviceMessage
    fileprivate init(_ message: DeviceMessage) { self.message = message }
}

/// The unverified signed authorization request of a web login (Apple "Implementing web-based
/// authentication with Platform SSO").
package struct UnverifiedAuthorizationRequest: Sendable {
    package let message: DeviceMessage
    fileprivate init(_ message: DeviceMessage) { self.message = message }
}
