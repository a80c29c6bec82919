// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The reason why a token did not perform an operation.
package enum PKCS11Error: Error, Sendable, Equatable, CustomStringConvertible {
    /// The shared library cannot be used.
    case module(String)
    /// No such token is there: not inserted, or not the one that was named.
    case noToken(String)
    /// The token is there, and the key is not on it.
    case noKey
    case pinIncorrect
    /// The PIN was not sent, because it could lock the token (``PINCaution``).
    case pinWithheld(Token.PINState)
    /// There were too many wrong PINs: the issuer of the card must unlock it.
    case pinLocked
    /// The module refused a function with a `CKR_` code (PKCS#11 2.40 section 5.1).
    case refused(call: String, code: UInt)
    /// The module's result violates the specification.
    case malformed(String)

    package var description: String {
        switch self {
        case .module(let reason): "the PKCS#11 module cannot be used: \(reason)"
        case .noToken(let reason): reason
        case .noKey: "the key is not on that token"
        case .pinIncorrect: "the PIN is wrong"
        case .pinWithheld(.finalTry):
            "the PIN was not sent: one more wrong PIN locks the token"
        case .pinWithheld: "the PIN was not sent: a wrong one was sent to the token before"
        case .pinLocked: "the PIN is locked after too many tries"
        case .refused(let call, let code):
            "the token refuses \(call) with code 0x\(Hexadecimal.text(code))"
        case .malformed(let what): "the token's response is invalid: \(what)"
        }
    }

    /// Converts a `CKR_` code to an error with a remedy where there is one.
    init(_ call: String, _ code: UInt) {
        self =
            switch code {
            case Cryptoki.Code.pinIncorrect, Cryptoki.Code.pinInvalid, Cryptoki.Code.pinLength:
                .pinIncorrect
            case Cryptoki.Code.pinLocked: .pinLocked
            case Cryptoki.Code.deviceRemoved, Cryptoki.Code.tokenNotPresent,
                Cryptoki.Code.tokenNotRecognized:
                .noToken("the token was removed")
            default: .refused(call: call, code: code)
            }
    }
}
