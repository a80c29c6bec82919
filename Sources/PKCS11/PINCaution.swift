// SPDX-License-Identifier: Apache-2.0

/// Which states of a token allow to send a PIN to it. A token counts wrong PINs, and is locked after
/// some.
package enum PINCaution: Sendable {
    /// All.
    case none
    /// Not if the next wrong PIN locks the token.
    case beforeLock
    /// Not if a wrong PIN was sent since the last correct one. A process with a wrong PIN that is
    /// started again and again sends it once.
    case afterWrongPIN

    func permits(_ state: Token.PINState) -> Bool {
        switch state {
        case .untouched: true
        case .low: self != .afterWrongPIN
        case .finalTry, .locked: self == .none
        }
    }
}
