// SPDX-License-Identifier: Apache-2.0
import Primitives

/// One check of a verifier and its result.
package struct VerificationCheck: Sendable, Equatable {
    package enum Outcome: String, Sendable {
        case passed
        case failed
        /// The value for comparison was not given; only an inspection omits checks.
        case notChecked = "not_checked"
    }

    /// A part of the message: it may contain an assertion or an ID token, and may be in a form.
    package enum Part: String, Sendable {
        case message
        case assertion
        case idToken = "id_token"
        /// The form around the message.
        case form
    }

    /// Stable names, in the order in which the checks are made.
    package enum Name: String, Sendable {
        case type, certificates, keyID = "kid", signature, decryption
        case client = "client_id", issuer = "iss", audience = "aud"
        case authorizedParty = "azp", issuedAt = "iat", expiry = "exp", notBefore = "nbf"
        case user = "sub", nonce, serverNonce = "request_nonce", scope, version
        case requestType = "request_type", keyPurpose = "key_purpose"
        case encryption = "jwe_crypto", partyLabel = "apv_label", partyKey = "apv_key"
        case partyNonce = "apv_nonce", groups, grant = "grant_type", password, assertion
        case subjectToken = "subject_token", refreshToken = "refresh_token"
        case otherPublicKey = "other_publickey", keyContext = "key_context"
        case redirect = "redirect_uri", state, responseType = "response_type"
        case ephemeralKey = "epk", content
    }

    package let part: Part
    package let name: Name
    package let outcome: Outcome
    /// The reason why it failed or was omitted.
    package let detail: String
}

/// The checks of one message in order. A provider stops at the first failed check; an inspection
/// continues as far as possible, to report all errors.
struct VerificationReport {
    enum Mode { case stopAtFirst, checkAll }

    let mode: Mode
    var part: VerificationCheck.Part = .message
    private(set) var checks: [VerificationCheck] = []
    /// The first refusal.
    private(set) var refusal: PlatformSSORefusal?

    init(_ mode: Mode) { self.mode = mode }

    mutating func require(
        _ passes: Bool, _ name: VerificationCheck.Name, _ code: PlatformSSORefusal.Code,
        _ reason: @autoclosure () -> String
    ) throws(PlatformSSORefusal) {
        guard passes else { return try fail(name, PlatformSSORefusal(code, reason())) }
        pass(name)
    }

    /// Returns the result of `read`, which is a check in itself; `nil` if it failed and the
    /// inspection continues.
    ///
    /// - Parameter isCompared: Whether there was a value for comparison.
    mutating func attempt<Value>(
        _ name: VerificationCheck.Name, isCompared: Bool = true,
        _ read: () throws(PlatformSSORefusal) -> Value
    ) throws(PlatformSSORefusal) -> Value? {
        do throws(PlatformSSORefusal) {
            let value = try read()
            if isCompared { pass(name) } else { leave(name, "the provider's side was not given") }
            return value
        } catch {
            try fail(name, error)
            return nil
        }
    }

    mutating func pass(_ name: VerificationCheck.Name) { record(name, .passed, "") }

    mutating func leave(_ name: VerificationCheck.Name, _ why: String) {
        record(name, .notChecked, why)
    }

    mutating func fail(
        _ name: VerificationCheck.Name, _ refusal: PlatformSSORefusal
    ) throws(PlatformSSORefusal) {
        record(name, .failed, refusal.description)
        self.refusal = self.refusal ?? refusal
        if mode == .stopAtFirst { throw refusal }
    }

    private mutating func record(
        _ name: VerificationCheck.Name, _ outcome: VerificationCheck.Outcome, _ detail: String
    ) {
        guard mode == .checkAll else { return }
        checks.append(VerificationCheck(part: part, name: name, outcome: outcome, detail: detail))
    }
}
