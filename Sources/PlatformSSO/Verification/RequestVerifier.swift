// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Verifies what devices ask of a provider. Only this type makes verified requests.
///
/// The caller finds the records (``DeviceKeys``, ``LoginKeys``) by what the unverified request says;
/// a message names keys and never brings any. Verification is pure: it consumes no nonce.
package struct RequestVerifier: Sendable {
    /// Whom requests must be meant for.
    package struct Expectation: Sendable {
        package var clientID: String
        /// Every address of the provider that may stand in `aud`: token, refresh and key endpoint.
        package var endpoints: [String]
        /// `audience` of the login configuration: whom assertions inside are for.
        package var audience: String
        /// `serverNonceClaimName`
        package var serverNonceClaim = "request_nonce"
        /// `groupRequestClaimName`
        package var groupRequestClaim: String?
        /// `previousRefreshTokenClaimName`; `nil` when it is not asked for.
        package var previousRefreshTokenClaim: String?
        /// Whether a password in clear text is refused although the request around it is signed.
        package var requiresEncryptedPassword = false
        /// How far clocks may differ.
        package var leeway = MessageClaims.leeway

        package init(clientID: String, endpoints: [String], audience: String) {
            self.clientID = clientID
            self.endpoints = endpoints
            self.audience = audience
        }
    }

    /// Devices write five minutes; nothing that they make lives longer than ten.
    package static let maximumLifetime = TimeSpan.minutes(10)

    private let expectation: Expectation

    package init(_ expectation: Expectation) { self.expectation = expectation }

    /// A login. ``VerifiedLoginRequest/Credential`` says what remains to be proved.
    ///
    /// - Parameters:
    ///   - device: Of the registration that ``DeviceMessage/signingKeyID`` leads to.
    ///   - keys: Of the person ``DeviceMessage/username`` on that device, and of the provider.
    package func verify(
        _ request: UnverifiedLoginRequest, device: DeviceKeys, keys: LoginKeys, now: Timestamp
    ) -> Result<VerifiedLoginRequest, PlatformSSORefusal> {
        judge(request.message, device, now) {
            (judge: inout RequestValidator) throws(PlatformSSORefusal) in
            try judge.login(request, keys)
        }
    }

    /// A refresh. Whether the token is good remains to be found out.
    package func verify(
        _ request: UnverifiedRefreshRequest, device: DeviceKeys, now: Timestamp
    ) -> Result<VerifiedRefreshRequest, PlatformSSORefusal> {
        judge(request.message, device, now) {
            (judge: inout RequestValidator) throws(PlatformSSORefusal) in
            try judge.refresh()
        }
    }

    /// A key request or key exchange. Whether token and key context are the device's and the person's
    /// remains to be found out.
    package func verify(
        _ request: UnverifiedKeyRequest, device: DeviceKeys, now: Timestamp
    ) -> Result<VerifiedKeyRequest, PlatformSSORefusal> {
        judge(request.message, device, now) {
            (judge: inout RequestValidator) throws(PlatformSSORefusal) in
            try judge.keyRequest()
        }
    }

    /// The signed request of a web login; the code that it leads to is bound to what it says.
    package func verify(
        _ request: UnverifiedAuthorizationRequest, device: DeviceKeys, now: Timestamp
    ) -> Result<VerifiedAuthorizationRequest, PlatformSSORefusal> {
        judge(request.message, device, now) {
            (judge: inout RequestValidator) throws(PlatformSSORefusal) in
            try judge.authorization()
        }
    }

    private func judge<Verified>(
        _ message: DeviceMessage, _ device: DeviceKeys, _ now: Timestamp,
        _ body: (inout RequestValidator) throws(PlatformSSORefusal) -> Verified?
    ) -> Result<Verified, PlatformSSORefusal> {
        var judge = RequestValidator(
            message: message, device: device, expectation: expectation, now: now,
            mode: .stopAtFirst)
        do throws(PlatformSSORefusal) {
            // A judge that stops at the first failure has a value when it returns.
            guard let verified = try body(&judge), judge.sheet.refusal == nil else {
                throw PlatformSSORefusal(.malformed, "the request is incomplete")
            }
            return .success(verified)
        } catch {
            return .failure(error)
        }
    }
}
