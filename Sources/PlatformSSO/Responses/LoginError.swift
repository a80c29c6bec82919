// SPDX-License-Identifier: Apache-2.0
import JOSE

/// What a device makes of an answer that is not 200.
package enum LoginError: Sendable, Equatable {
    /// The person is asked again.
    case wrongCredential
    /// Nothing that the person did: it is tried again later.
    case later

    /// 401 is a wrong credential and nothing else is, unless the configuration has a predicate over
    /// the body: then that decides for 400 and 401.
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
