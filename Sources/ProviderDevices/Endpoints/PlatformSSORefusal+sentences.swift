// SPDX-License-Identifier: Apache-2.0
import PlatformSSO

extension PlatformSSORefusal.Code {
    /// A message for the developer of the extension (`error_description`): what is wrong and what
    /// would be right.
    var sentence: String { messageSentence ?? claimSentence ?? proofSentence ?? otherSentence }

    private var messageSentence: String? {
        switch self {
        case .formMalformed: "The form lacks a field, or has one twice."
        case .versionUnsupported: "Send platform_sso_version 1.0 or 2.0."
        case .malformed: "The message must be a compact JWS or JWE with a JSON object in it."
        case .tooLarge: "The message is too long."
        case .typeMismatch: "The header has a typ that this endpoint does not accept."
        case .certificateMalformed: "x5c must contain the certificates in order."
        case .algorithmNotAllowed: "The key does not sign or encrypt with this algorithm here."
        case .hpkeNotOffered: "Configure ecdhe_A256GCM; HPKE is not offered."
        case .keyIDMalformed: "kid must be the SHA-256 of a key in Base64."
        case .keyIDMismatch: "The named key is not the key that was sent."
        case .keyNotFound: "No key has the kid of the message."
        case .deviceUnknown: "No registered device has this signing key. Register the device."
        case .signatureInvalid: "The signature is not by the key that the message names."
        case .decryptionFailed: "Encrypt with the active key of this provider."
        case .ephemeralKeyMalformed: "epk must be a key on P-256."
        case .apuMismatch: "apu must contain the ephemeral key of the message."
        case .publicKeyMalformed: "A public key is not on P-256, or is sent for two uses."
        default: nil
        }
    }

    private var claimSentence: String? {
        switch self {
        case .claimMissing: "A required claim is missing."
        case .claimMalformed: "A claim has an invalid form."
        case .clientMismatch: "client_id and iss must be the client of Platform SSO."
        case .issuerMismatch: "iss is another issuer."
        case .audienceMismatch: "aud must be the URL that the message is sent to."
        case .userMismatch: "The usernames in the message differ, or are of another person."
        case .expired: "exp has passed."
        case .issuedInFuture: "iat is in the future. Set the clock of the device."
        case .notYetValid: "nbf is in the future. Set the clock of the device."
        case .lifetimeTooLong: "exp may be ten minutes after iat at most."
        case .nonceMismatch: "nonce differs inside and outside of the assertion."
        case .serverNonceRefused: "Request a new nonce; each is valid once, for five minutes."
        case .serverNonceMismatch: "The server nonces in the message differ."
        case .scopeMalformed: "scope must contain openid, and at most one purpose."
        case .scopeMismatch: "scope differs inside and outside of the assertion."
        case .grantUnsupported: "This sign-in method is not allowed here."
        case .groupsMalformed: "The requested groups must be a list of names."
        case .responseEncryptionUnsupported: "jwe_crypto must request ECDH-ES with A256GCM."
        case .apvMalformed: "apv must contain a label, the encryption key and the nonce."
        case .apvKeyMismatch: "apv contains another key than the registered one."
        case .apvNonceMismatch: "apv contains another nonce than the message."
        default: nil
        }
    }

    private var proofSentence: String? {
        switch self {
        case .assertionMalformed: "The assertion has neither three parts nor five."
        case .passwordNotEncrypted: "Encrypt the password to the key of the provider."
        case .userKeyUnknown: "The person has no such key on this device."
        case .userSignatureInvalid: "The assertion is not signed with the key of the person."
        case .wrongCredential: "The password is empty."
        case .certificateUntrusted: "The certificate has no path to an accepted root."
        case .certificateUnmapped: "The certificate is not mapped to a person."
        case .certificateRevoked: "The certificate has been revoked."
        case .certificateStatusUnknown: "The revocation status of the certificate is unknown now."
        case .samlNotOffered: "No SAML assertion is accepted here."
        case .samlRefused: "The SAML assertion is not acceptable."
        case .refreshTokenRefused: "Sign in again: the refresh token is not active."
        default: nil
        }
    }

    private var otherSentence: String {
        switch self {
        case .requestTypeUnsupported: "request_type must be key_request or key_exchange."
        case .keyPurposeUnsupported: "key_purpose must be user_unlock."
        case .keyContextRefused: "The key context is of another device, person or time."
        case .callbackMalformed: "The callback URL has no code and state."
        case .stateMismatch: "state differs from the state of this sign-in."
        case .redirectMismatch: "redirect_uri differs from that of the sign-in."
        case .codeRefused: "The code is consumed, expired or of another device. Sign in again."
        case .keysNotTrusted: "The keys have no path to a trusted root."
        case .authorizedPartyMismatch: "azp is another client."
        case .authenticationTimeMismatch: "auth_time differs from that of the sign-in."
        default: "The message was not accepted."
        }
    }
}
