// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Storage

/// The state in the challenge of a registration: the person, the flow and the kind of credential.
/// The browser cannot change it.
struct RegistrationState: Sendable {
    enum Flow: Sendable {
        /// A new account.
        case new(SignUpForm)
        /// A further credential of a signed-in person.
        case add
        /// A registration with a link of an administrator, and its token.
        case again(token: String)
    }

    var flow: Flow
    var person: Identifier<Person>
    var kind = PasskeyOptions.Kind.passkey
    var isConditional = false

    var object: JSONObject {
        var object = JSONObject()
        object["person"] = .string(person.description)
        object["kind"] = .string(kind.rawValue)
        if isConditional { object["conditional"] = true }
        switch flow {
        case .new(let application):
            object["flow"] = "new"
            object["username"] = .string(application.username)
            object["name"] = .string(application.name)
            object["email"] = .string(application.email)
            object["setup"] = .string(application.setUpToken ?? "")
            object["ticket"] = application.ticket.map(JSONValue.string)
        case .add: object["flow"] = "add"
        case .again(let token):
            object["flow"] = "again"
            object["token"] = .string(token)
        }
        return object
    }

    init(
        flow: Flow, person: Identifier<Person>, kind: PasskeyOptions.Kind,
        isConditional: Bool = false
    ) {
        self.flow = flow
        self.person = person
        self.kind = kind
        self.isConditional = isConditional
    }

    init?(_ object: JSONObject) {
        guard let person = Identifier<Person>(object["person"]?.string ?? "") else { return nil }
        self.person = person
        kind = object["kind"]?.string.flatMap(PasskeyOptions.Kind.init) ?? .passkey
        isConditional = object["conditional"]?.bool ?? false
        switch object["flow"]?.string {
        case "add": flow = .add
        case "again": flow = .again(token: object["token"]?.string ?? "")
        case "new":
            let setUp = object["setup"]?.string ?? ""
            flow = .new(
                SignUpForm(
                    username: object["username"]?.string ?? "",
                    name: object["name"]?.string ?? "", email: object["email"]?.string ?? "",
                    setUpToken: setUp.isEmpty ? nil : setUp, ticket: object["ticket"]?.string))
        default: return nil
        }
    }
}
