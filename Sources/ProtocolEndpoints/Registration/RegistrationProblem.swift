// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPServer
import HTTPTypes
import OAuth
import ProviderCore
import ProviderInstallations

/// How refusals of `/registration` look on the wire: RFC 9457, and RFC 6750 for access tokens.
enum RegistrationProblem {
    static func response(_ refusal: Refusal, to request: ServerRequest) -> ServerResponse {
        let code = RegistrationErrorCode(rawValue: refusal.code)
        var response = Problem.response(
            refusal, status: status(of: refusal, code), requestID: request.facts.requestID)
        switch code {
        case .notSignedIn:
            response.headers[.wwwAuthenticate] = BearerChallenge.signIn(to: request)
        case .scopeMissing:
            response.headers[.wwwAuthenticate] = BearerChallenge.refusal(
                ErrorCode.insufficientScope, scope: "registration")
        default: DPoPChallenge.refuse(refusal, &response)
        }
        return response
    }

    private static func status(
        of refusal: Refusal, _ code: RegistrationErrorCode?
    ) -> HTTPResponse.Status {
        if let code { return status(of: code) }
        return refusal.retryAfter == nil ? .badRequest : .tooManyRequests
    }

    static func refusal(of mistake: AppRegistrationRequest.ParseError) -> Refusal {
        switch mistake {
        case .missing(let name):
            RegistrationErrorCode.missingInput.refusal("\(name) is missing.", because: name)
        case .malformed(let name):
            RegistrationErrorCode.malformedInput.refusal("\(name) cannot be read.", because: name)
        }
    }

    private static func status(of code: RegistrationErrorCode) -> HTTPResponse.Status {
        switch code {
        case .missingInput, .malformedInput, .methodNotSupported, .challengeRefused,
            .pinNotOffered, .authenticatorNotOffered, .approvalsNotOffered:
            .badRequest
        case .keyProofRefused, .pinRefused, .wrongPIN, .ended, .refused, .tokenRefused,
            .tokenExpired, .tokenUsed, .tokenTimeUnit,
            .testKeyRefused, .evidenceRefused, .transactionRefused,
            .transactionExpired, .tryAgain, .identityProviderRefused, .personDisabled,
            .scopeMissing, .freshSignInNeeded, .deregistrationRefused, .outdatedApplication,
            .outdatedSystem, .unknownApplication, .notEnrolled, .approvalRefused,
            .webTargetRefused:
            .forbidden
        case .registrationIDTaken, .alreadyRegistered, .keyTaken, .deviceRegistered,
            .approvalHandled:
            .conflict
        case .vendorUnavailable, .identityProviderUnavailable: .serviceUnavailable
        case .notSignedIn: .unauthorized
        case .unknownInstallation, .unknownIdentityProvider, .unknownAuthenticator,
            .unknownApproval:
            .notFound
        }
    }
}
