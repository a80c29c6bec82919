// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// What the agent says to it.
package enum AdmissionResponse: Sendable, Equatable {
    case admitted(AdmissionProof, until: Timestamp?)
    case refused(AdmissionRefusal)
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
            guard let proof = value["proof"]?.string.flatMap({ AdmissionProof(rawValue: $0) })
            else { return nil }
            let until = value["until"]?.string.flatMap { Timestamp(rfc3339: $0) }
            self = .admitted(proof, until: until)
        case "refused":
            guard let code = value["code"]?.string.flatMap({ AdmissionRefusal(rawValue: $0) })
            else { return nil }
            self = .refused(code)
        case "check_local_password": self = .checkLocalPassword
        case "password_needed": self = .passwordNeeded
        default: return nil
        }
    }
}
