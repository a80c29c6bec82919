// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
package import Storage

/// What an operator wants the provider to hold, as a state document says it. Everything in it has
/// been checked; secrets stand apart from the keys that may be shown.
package struct DesiredState: Sendable, Equatable {
    package var projects: [DesiredProject]
    package var administrators: [DesiredAdministrator]

    package init(projects: [DesiredProject], administrators: [DesiredAdministrator] = []) {
        self.projects = projects
        self.administrators = administrators
    }
}

package struct DesiredProject: Sendable, Equatable {
    package var name: String
    /// The keys of the project itself; what is not mentioned stays as it is.
    var members: JSONObject
    /// Those that are mentioned, by the names of ``ProjectSection``; each is taken whole.
    var sections: [String: JSONObject] = [:]
    /// Of `registration`; those that are not mentioned stay as they are.
    var registrationSecrets: [RegistrationSecrets.Name: Secret] = [:]
    package var issuerKeys: [DesiredIssuerKey] = []
    package var clients: [DesiredClient] = []
    package var people: [DesiredPerson] = []
    package var entitlementSets: [DesiredEntry] = []
    package var entitlementSequences: [DesiredEntry] = []
    package var upstreamProviders: [DesiredUpstreamProvider] = []

    init(name: String, members: JSONObject) {
        self.name = name
        self.members = members
    }

    /// Clients, people and keys of a project that is otherwise left as it is.
    package init(
        name: String, clients: [DesiredClient] = [], people: [DesiredPerson] = [],
        issuerKeys: [DesiredIssuerKey] = [],
        upstreamProviders: [DesiredUpstreamProvider] = []
    ) {
        self.init(name: name, members: JSONObject())
        self.clients = clients
        self.people = people
        self.issuerKeys = issuerKeys
        self.upstreamProviders = upstreamProviders
    }
}

/// An issuer's key that is mentioned matches its entry wholly.
package struct DesiredIssuerKey: Sendable, Equatable {
    package var issuer: String
    package var kid: String
    var members: JSONObject

    /// What it is called where things have one name.
    package var name: String { "\(issuer) \(kid)" }
}

/// A set or sequence of entitlements that is mentioned matches its entry wholly.
package struct DesiredEntry: Sendable, Equatable {
    package var name: String
    var members: JSONObject
}

/// An upstream provider that is mentioned matches its entry wholly; a secret that is not stays.
package struct DesiredUpstreamProvider: Sendable, Equatable {
    package var identifier: String
    package var kind: UpstreamProvider.Kind
    var members: JSONObject
    var secret: Secret?
    /// The one that it was made from: what is something else by now stays. `nil` for whatever is
    /// there.
    package var earlier: UpstreamProvider?
}

/// A client that is mentioned matches its entry wholly: keys not mentioned take their defaults.
package struct DesiredClient: Sendable, Equatable {
    package var clientID: String
    var members: JSONObject
    var secret: Secret?
    /// As ``DesiredUpstreamProvider/earlier``.
    package var earlier: Client?
}

/// A person keeps every claim that the entry does not mention: people edit some themselves.
package struct DesiredPerson: Sendable, Equatable {
    /// In ``UserName`` canonical form.
    package var username: String
    var members: JSONObject
    package var password: NewPassword?
}

/// A password that an administrator sets.
package struct NewPassword: Sendable, Equatable {
    let secret: Secret
    /// Whether it is a first password (``PasswordDetails/mustChange``).
    var mustChange = false
    /// Whether a first password takes the place of what the person signs in with already. A document
    /// that is applied again leaves that alone; a single call means it.
    package var isReset = false
}

/// An administrator's role that is mentioned is what the entry says; others stay.
package struct DesiredAdministrator: Sendable, Equatable {
    /// Of a person of the home project, in ``UserName`` canonical form.
    package var username: String
    package var role: Administrator.Role
    /// `nil` for every project.
    package var project: String?
}
