// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// Members that an extension adds to the header and the body of a message. They replace no member
/// of the system.
package struct CustomClaims: Sendable, Equatable {
    package var header: JSONObject
    package var body: JSONObject

    package init(header: JSONObject = JSONObject(), body: JSONObject = JSONObject()) {
        self.header = header
        self.body = body
    }

    /// Returns these claims merged with those of the person, which have precedence.
    package func merging(_ other: CustomClaims) -> CustomClaims {
        CustomClaims(
            header: JSONObject(header.members + other.header.members),
            body: JSONObject(body.members + other.body.members))
    }
}

extension JSONObject {
    /// Adds the members whose names are unused.
    mutating func add(_ other: JSONObject) {
        for member in other.members where self[member.name] == nil {
            self[member.name] = member.value
        }
    }
}
