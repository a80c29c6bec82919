// SPDX-License-Identifier: Apache-2.0
package import AgentClient
package import JOSE
package import Primitives

/// The request of a login program to admit a person, with the facts that it has.
package struct AdmissionRequest: Sendable, Equatable {
    package var place: AdmissionPoint
    /// As it was typed.
    package var password: Secret?
    package var local: Admission.LocalPassword
    package var isPresent: Bool

    package init(
        _ place: AdmissionPoint, password: Secret? = nil,
        local: Admission.LocalPassword = .unchecked, isPresent: Bool = false
    ) {
        self.place = place
        self.password = password
        self.local = local
        self.isPresent = isPresent
    }

    package var json: JSONValue {
        var object = JSONObject([.init(name: "place", value: .string(place.rawValue))])
        object["password"] = password.map { .string(Base64URL.encode($0.reveal())) }
        if local != .unchecked { object["local"] = .string(local.rawValue) }
        if isPresent { object["presence"] = true }
        return .object(object)
    }

    /// `nil` for anything else than ``json``: who is let in hangs on every word of it.
    package init?(_ value: JSONValue?) {
        guard let place = value?["place"]?.string.flatMap({ AdmissionPoint(rawValue: $0) }) else {
            return nil
        }
        self.init(place)
        if let member = value?["password"] {
            guard var bytes = member.string.flatMap({ Base64URL.decode($0) }) else { return nil }
            password = Secret(wiping: &bytes)
        }
        if let member = value?["local"] {
            guard let word = member.string.flatMap({ Admission.LocalPassword(rawValue: $0) }) else {
                return nil
            }
            local = word
        }
        if let member = value?["presence"] {
            guard let flag = member.bool else { return nil }
            isPresent = flag
        }
    }
}
