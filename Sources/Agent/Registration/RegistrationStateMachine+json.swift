// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// The machine in the agent's state file.
extension RegistrationStateMachine {
    package var json: JSONValue {
        var object = JSONObject()
        object["spread"] = .integer(spread.milliseconds)
        object["last_attempt"] = .integer(Int64(clamping: lastAttempt))
        registrations.add(to: &object)
        return .object(object)
    }

    package init(_ object: JSONObject) throws(JSONMemberError) {
        let reader = JSONReader(object) { $0 }
        self.init(spread: try reader.required("spread", .milliseconds))
        lastAttempt = try reader.required("last_attempt", .unsigned)
        registrations = try Registrations(reader)
    }
}
