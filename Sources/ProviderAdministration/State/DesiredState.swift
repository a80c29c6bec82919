// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import ProviderInstallations
package import Storage

/// The validated content of a state document: the desired projects and administrators. Secrets are
/// separate from the members that may be displayed.
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
    /// The keys of the project itself. Keys that are not in the document are unchanged.
    var members: JSONObject
    /// The sections in the document, by the names of ``ProjectSection``. Each replaces the whole
    /// section.
    var sections: [String: JSONObject] = [:]
    /// The secrets of `registration`. Secrets that are not in the document are unchanged.
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

    /// Clients, people and keys of a project whose settings are unchanged.
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

/// An issuer key. It is replaced as a whole by its entry.
package struct DesiredIssuerKey: Sendable, Equatable {
    package var issuer: String
    package var kid: String
    var members: JSONObject

    /// A single name for lists that have one name for each resource.
    package var name: String { "\(issuer) \(kid)" }
}

/// A set or sequence of entitlements. It is replaced as a whole by its entry.
package struct DesiredEntry: Sendable, Equatable {
    package var name: String
    var members: JSONObject
}

/// An upstream provider. It is replaced as a whole by its entry; a secret that is not in it is
/// unchanged.
package struct DesiredUpstreamProvider: Sendable, Equatable {
    package var identifier: String
    package var kind: UpstreamProvider.Kind
    var members: JSONObject
    var secret: Secret?
    /// The record that the entry was derived from. If it was changed since, the change is refused.
    /// `nil` for any record.
    package var earlier: UpstreamProvider?
}

/// A client. It is replaced as a whole by its entry: keys that are not in it have their defaults.
package struct DesiredClient: Sendable, Equatable {
    package var clientID: String
    var members: JSONObject
    var secret: Secret?
    /// See ``DesiredUpstreamProvider/earlier``.
    package var earlier: Client?
}

/// A person. Claims that are not in the entry are unchanged, because people edit some themselves.
package struct DesiredPerson: Sendable, Equatable {
    /// The username in ``UserName`` canonical form.
    package var username: String
    var members: JSONObject
    package var password: NewPassword?
}

/// A password that an administrator sets.
package struct NewPassword: Sendable, Equatable {
    let secret: Secret
    /// Whether it is a first password (``PasswordDetails/mustChange``).
    var mustChange = false
    /// Whether a first password replaces the existing credentials. A document that is applied again
    /// does not replace them; a single call does.
    package var isReset = false
}

/// An administrator's role. Roles that are not in the document are unchanged.
package struct DesiredAdministrator: Sendable, Equatable {
    /// The username of a person of the home project, in ``UserName`` canonical form.
    package var username: String
    package var role: Administrator.Role
    /// `nil` for all projects.
    package var project: String?
}
