// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Why a token did not do what was asked of it.
package enum PKCS11Error: Error, Sendable, Equatable, CustomStringConvertible {
    /// The shared library cannot be used.
    case module(String)
    /// No such token is there: not inserted, or not the one that was named.
    case noToken(String)
    /// The token is there, and the key is not on it.
    case noKey
    case pinIncorrect
    /// Too many wrong PINs: whoever gave the card out has to unlock it.
    case pinLocked
    /// The module refused a function with a `CKR_` code (PKCS#11 2.40 section 5.1).
    case refused(call: String, code: UInt)
    /// What the module answered is not what the specification says.
    case malformed(String)

    package var description: String {
        switch self {
        case .module(let reason): "the PKCS#11 module cannot be used: \(reason)"
        case .noToken(let reason): reason
        case .noKey: "the key is not on that token"
        case .pinIncorrect: "the PIN is wrong"
        case .pinLocked: "the PIN is locked after too many tries"
        case .refused(let call, let code):
            "the token refuses \(call) with code 0x\(Hexadecimal.text(code))"
        case .malformed(let what): "the token's answer makes no sense: \(what)"
        }
    }

    /// What a `CKR_` code means, as far as somebody can do something about it.
    init(_ call: String, _ code: UInt) {
        self =
            switch code {
            case Cryptoki.Code.pinIncorrect, Cryptoki.Code.pinInvalid, Cryptoki.Code.pinLength:
                .pinIncorrect
            case Cryptoki.Code.pinLocked: .pinLocked
            case Cryptoki.Code.deviceRemoved, Cryptoki.Code.tokenNotPresent,
                Cryptoki.Code.tokenNotRecognized:
                .noToken("the token has been taken away")
            default: .refused(call: call, code: code)
            }
    }
}
