// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// The UUID of one request, chosen by the caller.
package struct RequestName: Sendable {
    package let bytes: [UInt8]
    package let text: String

    package init?(_ value: JSONValue) {
        guard let sent = value.string, let id = Identifier<RequestName>(sent.lowercased()) else {
            return nil
        }
        bytes = id.bytes
        text = id.description
    }
}
