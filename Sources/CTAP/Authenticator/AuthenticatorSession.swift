// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The state of a software key that a loss of power discards.
struct AuthenticatorSession {
    /// The current token. A key has one at a time, apart from the persistent token.
    struct Token {
        let token: PINUVAuthToken
        var permissions: PINPermissions
        var rpId: String?
        /// Whether verification included a touch, so that another one is not required.
        var userPresent: Bool
        var userVerified = true
        let begun: Timestamp
        var isUsed = false

        /// Whether the token has expired: unused after 30 seconds, used after ten minutes (CTAP 2.1
        /// section 6.5.2.1).
        func hasExpired(at now: Timestamp) -> Bool {
            now - begun > .minutes(10) || (!isUsed && now - begun > .seconds(30))
        }
    }

    /// The assertions that getNextAssertion can still return.
    struct Assertions {
        let request: GetAssertionRequest
        var remaining: [AuthenticatorCredential]
        let flags: AssertionFlags
        var deadline: Timestamp
    }

    struct AssertionFlags {
        var present: Bool
        var verified: Bool
    }

    /// A large-blob array whose fragments are being received.
    struct LargeBlobUpload {
        let length: Int
        var content: [UInt8] = []
    }

    /// The enrolment of a fingerprint.
    struct Enrollment {
        let template: [UInt8]
        var remaining: Int
    }

    var keyAgreement: PINKeyAgreement
    var token: Token?
    /// The number of consecutive wrong PINs since power-up.
    var wrongPINs = 0
    var assertions: Assertions?
    /// The relying parties that enumerateRPsGetNextRP can still return.
    var relyingParties: [CTAPRelyingParty]?
    var credentials: [AuthenticatorCredential]?
    var upload: LargeBlobUpload?
    var enrollment: Enrollment?
    var wrapping: CredentialWrapping?
    let poweredUp: Timestamp

    init(random: any RandomSource, poweredUp: Timestamp) {
        keyAgreement = PINKeyAgreement(random: random)
        self.poweredUp = poweredUp
    }

    /// Whether three consecutive PINs were wrong. Only a power cycle permits another attempt (CTAP
    /// 2.1 section 6.5.5.6).
    var pinIsBlocked: Bool { wrongPINs >= 3 }

    /// Discards the state that only a specific next command continues (CTAP 2.1 section 6,
    /// "stateful commands").
    mutating func endUnfinished(before request: CTAPRequest) {
        if case .getNextAssertion = request {} else { assertions = nil }
        var isNextRP = false
        var isNextCredential = false
        if case .credentialManagement(let management, _) = request {
            isNextRP = management.subcommand == .enumerateRPsGetNextRP
            isNextCredential = management.subcommand == .enumerateCredentialsGetNextCredential
        }
        if !isNextRP { relyingParties = nil }
        if !isNextCredential { credentials = nil }
        if case .largeBlobs = request {} else { upload = nil }
        if case .bioEnrollment = request {} else { enrollment = nil }
    }
}
