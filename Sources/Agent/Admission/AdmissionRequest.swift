// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// What a login program asks: whether somebody is to be let in, with what it knows.
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

/// What the agent says to it.
package enum AdmissionResponse: Sendable, Equatable {
    case admitted(Admission.Proof, until: Timestamp?)
    case refused(Admission.Refusal)
    /// It has to compare the password with its own, and ask again.
    case checkLocalPassword
    /// It has to ask for the password.
    case passwordNeeded

    package var json: JSONValue {
        var object = JSONObject()
        switch self {
        case .admitted(let proof, let until):
            object["outcome"] = "admitted"
            object["proof"] = .string(proof.rawValue)
            object["until"] = until.map { .string($0.rfc3339) }
        case .refused(let refusal):
            object["outcome"] = "refused"
            object["code"] = .string(refusal.rawValue)
        case .checkLocalPassword: object["outcome"] = "check_local_password"
        case .passwordNeeded: object["outcome"] = "password_needed"
        }
        return .object(object)
    }

    package init?(_ value: JSONValue) {
        switch value["outcome"]?.string {
        case "admitted":
            guard let proof = value["proof"]?.string.flatMap({ Admission.Proof(rawValue: $0) })
            else { return nil }
            let until = value["until"]?.string.flatMap { Timestamp(rfc3339: $0) }
            self = .admitted(proof, until: until)
        case "refused":
            guard let code = value["code"]?.string.flatMap({ Admission.Refusal(rawValue: $0) })
            else { return nil }
            self = .refused(code)
        case "check_local_password": self = .checkLocalPassword
        case "password_needed": self = .passwordNeeded
        default: return nil
        }
    }
}
