// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A provider's verifier of device requests. Only this type creates verified requests.
///
/// The caller finds the records (``DeviceKeys``, ``LoginKeys``) by the content of the unverified
/// request. A message identifies keys and never contains them. Verification is pure: it consumes no
/// nonce.
package struct RequestVerifier: Sendable {
    /// The expected recipient of requests.
    package struct Expectation: Sendable {
        package var clientID: String
        /// All URLs of the provider that are accepted in `aud`: token, refresh and key endpoint.
        package var endpoints: [String]
        /// `audience` of the login configuration: the audience of assertions in requests.
        package var audience: String
        /// `serverNonceClaimName`
        package var serverNonceClaim = "request_nonce"
        /// `groupRequestClaimName`
        package var groupRequestClaim: String?
        /// `previousRefreshTokenClaimName`; `nil` if it is not requested.
        package var previousRefreshTokenClaim: String?
        /// Whether a password in clear text is refused although the request is signed.
        package var requiresEncryptedPassword = false
        /// The accepted clock skew.
        package var leeway = MessageClaims.leeway

        package init(clientID: String, endpoints: [String], audience: String) {
            self.clientID = clientID
            self.endpoints = endpoints
            self.audience = audience
        }
    }

    /// Devices write five minutes; a longer lifetime than ten is refused.
    package static let maximumLifetime = TimeSpan.minutes(10)

    private let expectation: Expectation

    package init(_ expectation: Expectation) { self.expectation = expectation }

    /// Verifies a login. ``VerifiedLoginRequest/Credential`` states what remains to be verified.
    ///
    /// - Parameters:
    ///   - device: Of the registration with ``DeviceMessage/signingKeyID``.
    ///   - keys: Of the person ``DeviceMessage/username`` on that device, and of the provider.
    package func verify(
        _ request: UnverifiedLoginRequest, device: DeviceKeys, keys: LoginKeys, now: Timestamp
    ) -> Result<VerifiedLoginRequest, PlatformSSORefusal> {
        validate(request.message, device, now) {
            (validator: inout RequestValidator) throws(PlatformSSORefusal) in
            try validator.login(request, keys)
        }
    }

    /// Verifies a refresh request. The caller must verify the token.
    package func verify(
        _ request: UnverifiedRefreshRequest, device: DeviceKeys, now: Timestamp
    ) -> Result<VerifiedRefreshRequest, PlatformSSORefusal> {
        validate(request.message, device, now) {
            (validator: inout RequestValidator) throws(PlatformSSORefusal) in
            try validator.refresh()
        }
    }

    /// Verifies a key request or key exchange. The caller must verify that token and key context
    /// belong to the device and the person.
    package func verify(
        _ request: UnverifiedKeyRequest, device: DeviceKeys, now: Timestamp
    ) -> Result<VerifiedKeyRequest, PlatformSSORefusal> {
        validate(request.message, device, now) {
            (validator: inout RequestValidator) throws(PlatformSSORefusal) in
            try validator.keyRequest()
        }
    }

    /// Verifies the signed request of a web login; the resulting code is bound to its content.
    package func verify(
        _ request: UnverifiedAuthorizationRequest, device: DeviceKeys, now: Timestamp
    ) -> Result<VerifiedAuthorizationRequest, PlatformSSORefusal> {
        validate(request.message, device, now) {
            (validator: inout RequestValidator) throws(PlatformSSORefusal) in
            try validator.authorization()
        }
    }

    private func validate<Verified>(
        _ message: DeviceMessage, _ device: DeviceKeys, _ now: Timestamp,
        _ body: (inout RequestValidator) throws(PlatformSSORefusal) -> Verified?
    ) -> Result<Verified, PlatformSSORefusal> {
        var validator = RequestValidator(
            message: message, device: device, expectation: expectation, now: now,
            mode: .stopAtFirst)
        do throws(PlatformSSORefusal) {
            // A verification that stops at the first failed check has a value when it returns.
            guard let verified = try body(&validator), validator.report.refusal == nil else {
                throw PlatformSSORefusal(.malformed, "the request is incomplete")
            }
            return .success(verified)
        } catch {
            return .failure(error)
        }
    }
}
