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
        case .malformed: "The message is no compact JWS or JWE with a JSON object in it."
        case .tooLarge: "The message is too long."
        case .typeMismatch: "The header has another typ than this place takes."
        case .certificateMalformed: "x5c holds no certificates in order."
        case .algorithmNotAllowed: "The key does not sign or encrypt with this algorithm here."
        case .hpkeNotOffered: "Configure ecdhe_A256GCM; HPKE is not offered."
        case .keyIDMalformed: "kid is no SHA-256 of a key in base64."
        case .keyIDMismatch: "The named key is not the key that was sent."
        case .keyNotFound: "No key has the name that the message gives."
        case .deviceUnknown: "No registered machine has this signing key. Register the machine."
        case .signatureInvalid: "The signature is not by the key that the message names."
        case .decryptionFailed: "Encrypt with the key of this provider that is valid now."
        case .ephemeralKeyMalformed: "epk is no key on P-256."
        case .apuMismatch: "apu does not hold the ephemeral key of the message."
        case .publicKeyMalformed: "A public key is not on P-256, or stands for two uses."
        default: nil
        }
    }

    private var claimSentence: String? {
        switch self {
        case .claimMissing: "A required claim is missing."
        case .claimMalformed: "A claim has another form than it must have."
        case .clientMismatch: "client_id and iss must be the client of Platform SSO."
        case .issuerMismatch: "iss is another issuer."
        case .audienceMismatch: "aud must be the address that the message is sent to."
        case .userMismatch: "The user names in the message differ, or are another person's."
        case .expired: "exp has passed."
        case .issuedInFuture: "iat lies in the future. Set the clock of the machine."
        case .notYetValid: "nbf lies in the future. Set the clock of the machine."
        case .lifetimeTooLong: "exp may be ten minutes after iat at most."
        case .nonceMismatch: "nonce differs inside and outside of the assertion."
        case .serverNonceRefused: "Ask for a new nonce; each works once, for five minutes."
        case .serverNonceMismatch: "The server nonces in the message differ."
        case .scopeMalformed: "scope must have openid, and one purpose at most."
        case .scopeMismatch: "scope differs inside and outside of the assertion."
        case .grantUnsupported: "This way to sign in is not allowed here."
        case .groupsMalformed: "The requested groups are no list of names."
        case .responseEncryptionUnsupported: "jwe_crypto must ask for ECDH-ES with A256GCM."
        case .apvMalformed: "apv must hold a label, the encryption key and the nonce."
        case .apvKeyMismatch: "apv holds another key than the machine registered."
        case .apvNonceMismatch: "apv holds another nonce than the message."
        default: nil
        }
    }

    private var proofSentence: String? {
        switch self {
        case .assertionMalformed: "The assertion has neither three parts nor five."
        case .passwordNotEncrypted: "Encrypt the password to the key of the provider."
        case .userKeyUnknown: "The person has no such key on this machine."
        case .userSignatureInvalid: "The assertion is not signed by the key of the person."
        case .wrongCredential: "The password is empty."
        case .certificateUntrusted: "The certificate leads to none of the accepted roots."
        case .certificateUnmapped: "The certificate belongs to nobody here."
        case .certificateRevoked: "The certificate has been revoked."
        case .certificateStatusUnknown: "Whether the certificate still holds is not known now."
        case .samlNotOffered: "No SAML assertion is accepted here."
        case .samlRefused: "The SAML assertion is not acceptable."
        case .refreshTokenRefused: "Sign in again: the refresh token is not good any more."
        default: nil
        }
    }

    private var otherSentence: String {
        switch self {
        case .requestTypeUnsupported: "request_type must be key_request or key_exchange."
        case .keyPurposeUnsupported: "key_purpose must be user_unlock."
        case .keyContextRefused: "The key context is of another machine, person or time."
        case .callbackMalformed: "The callback address has no code and state."
        case .stateMismatch: "state is not what this sign-in began with."
        case .redirectMismatch: "redirect_uri is another one than that of the sign-in."
        case .codeRefused: "The code is used, over, or of another machine. Sign in again."
        case .keysNotTrusted: "The keys lead to no trusted root."
        case .authorizedPartyMismatch: "azp is another client."
        case .authenticationTimeMismatch: "auth_time is not that of the sign-in."
        default: "The message was not accepted."
        }
    }
}
