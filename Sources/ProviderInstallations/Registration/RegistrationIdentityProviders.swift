// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
package import ProviderCore
import Storage

/// The identity providers that people can register with in an app: the sign-in page of the project,
/// its upstream providers, and the services of the operator. An app draws a button for each.
package struct RegistrationIdentityProviders: Sendable {
    /// How an app registers with a provider.
    enum Kind: String {
        /// The sign-in page of the project, in a browser.
        case browser
        /// An upstream provider, in a browser: `identity_provider` at the authorization endpoint.
        case upstream
        /// A service of the operator, inside the app.
        case custom
    }

    private let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    /// The enabled providers of the offered registration methods, in order of kind and name.
    package func all() async throws -> JSONValue {
        var items: [JSONValue] = []
        if InstallationRegistration.isOffered(.oidc, in: context.tenant) {
            items.append(page)
            items += try await context.provider.upstreamProviders(of: context.tenant)
                .filter(\.signsPeopleIn).map {
                    item(.upstream, $0.name, $0.displayName, $0.settings.icon, .oidc)
                }
        }
        items += context.tenant.project.policy.registration.identityProviders
            .filter(\.enabled).map {
                item(
                    .custom, $0.id, $0.displayName, $0.icon,
                    $0.twoStep ? .customTwoStep : .customOneStep)
            }
        return ["items": .array(items)]
    }

    private var page: JSONValue {
        let project = context.tenant.project
        let name = project.theme.displayName ?? "Gatehouse"
        return item(.browser, "browser", name, project.theme.logo ?? "", .oidc)
    }

    private func item(
        _ kind: Kind, _ id: String, _ name: String, _ icon: String, _ method: AppRegistrationMethod
    ) -> JSONValue {
        var item = JSONObject()
        item["id"] = .string(id)
        item["kind"] = .string(kind.rawValue)
        item["name"] = .string(name)
        item["icon"] = icon.isEmpty ? nil : .string(url(icon))
        item["method"] = .string(method.rawValue)
        return .object(item)
    }

    /// An absolute URL for a path on this host.
    private func url(_ icon: String) -> String {
        guard icon.hasPrefix("/") else { return icon }
        return (SiteOrigin(issuer: context.tenant.issuer)?.origin ?? "") + icon
    }
}
