// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Storage

/// The stored data of a pending sign-out confirmation.
package struct SignOutConfirmation: Sendable {
    let session: Identifier<Session>
    package let target: String?
    package let clientName: String?

    init(session: Identifier<Session>, target: String?, clientName: String?) {
        self.session = session
        self.target = target
        self.clientName = clientName
    }

    init?(payload: String) {
        guard let object = try? JSONParser.parseObject(Array(payload.utf8), maximumBytes: 16_384),
            let session = object["session"]?.string.flatMap({ Identifier<Session>($0) })
        else { return nil }
        self.init(
            session: session, target: object["target"]?.string,
            clientName: object["client_name"]?.string)
    }

    var payload: String {
        var writer = JSONWriter()
        writer.member("session", session.description)
        writer.member("target", ifPresent: target)
        writer.member("client_name", ifPresent: clientName)
        return String(decoding: writer.finish(), as: UTF8.self)
    }
}
