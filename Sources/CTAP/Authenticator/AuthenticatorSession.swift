// SPDX-License-Identifier: Apache-2.0
import Primitives

/// What a software key remembers only while it has power.
struct AuthenticatorSession {
    /// The token that was given out last. There is one at a time; a persistent one is apart.
    struct Token {
        let token: PINUVAuthToken
        var permissions: PINPermissions
        var rpId: String?
        /// Whether verification took a touch with it, so that no second one is asked for.
        var userPresent: Bool
        var userVerified = true
        let begun: Timestamp
        var isUsed = false

        /// CTAP 2.1 section 6.5.2.1: unused tokens die after 30 seconds, all after ten minutes.
        func hasExpired(at now: Timestamp) -> Bool {
            now - begun > .minutes(10) || (!isUsed && now - begun > .seconds(30))
        }
    }

    /// Assertions that getNextAssertion can still have.
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

    /// A large-blob array that is being written.
    struct LargeBlobUpload {
        let length: Int
        var content: [UInt8] = []
    }

    /// A finger that is being enrolled.
    struct Enrolment {
        let template: [UInt8]
        var remaining: Int
    }

    var keyAgreement: PINKeyAgreement
    var token: Token?
    /// Wrong PINs since power-up without a right one between them.
    var wrongPINs = 0
    var assertions: Assertions?
    /// RP ID hashes that enumerateRPsGetNextRP can still have.
    var relyingParties: [CTAPRelyingParty]?
    var credentials: [AuthenticatorCredential]?
    var upload: LargeBlobUpload?
    var enrolment: Enrolment?
    var wrapping: CredentialWrapping?
    let poweredUp: Timestamp

    init(random: any RandomSource, poweredUp: Timestamp) {
        keyAgreement = PINKeyAgreement(random: random)
        self.poweredUp = poweredUp
    }

    /// Three wrong PINs in a row: only a power cycle helps (CTAP 2.1 section 6.5.5.6).
    var pinIsBlocked: Bool { wrongPINs >= 3 }

    /// Ends what only goes on through commands of its own (CTAP 2.1 section 6, "stateful
    /// commands").
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
        if case .bioEnrollment = request {} else { enrolment = nil }
    }
}
