// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A device's interpretation of a response other than 200.
package enum LoginError: Sendable, Equatable {
    /// The device prompts the person again.
    case wrongCredential
    /// The cause is not the person's input: the device tries again later.
    case later

    /// Creates the interpretation: by default only 401 is a wrong credential. A predicate over the
    /// body decides for 400 and 401 instead.
    package init(status: Int, body: [UInt8], predicate: ResponsePredicate?) {
        guard let predicate else {
            self = status == 401 ? .wrongCredential : .later
            return
        }
        let answer = try? JSONParser.parse(
            body, maximumBytes: MessageClaims.maximumBytes, maximumDepth: 16)
        let isWrong = status == 400 || status == 401
        self = isWrong && predicate.holds(for: answer ?? .null) ? .wrongCredential : .later
    }
}
