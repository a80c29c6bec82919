// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// How a security key is asked to be touched for one key of a person.
package struct PresenceCredential: Sendable, Equatable {
    /// Of the credential that it made.
    let identifier: [UInt8]
    /// What it makes its secret of.
    let input: [UInt8]

    var json: JSONValue {
        [
            "id": .string(Base64URL.encode(identifier)),
            "input": .string(Base64URL.encode(input)),
        ]
    }

    init(identifier: [UInt8], input: [UInt8]) {
        self.identifier = identifier
        self.input = input
    }

    init?(_ value: JSONValue) {
        guard let identifier = value["id"]?.string.flatMap({ Base64URL.decode($0) }),
            let input = value["input"]?.string.flatMap({ Base64URL.decode($0) })
        else { return nil }
        self.init(identifier: identifier, input: input)
    }
}
