// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import ProviderCore
import Storage

/// The start page of a project.
struct HomePage: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            pages.page("/") { visit in
                let person = visit.signedIn?.person
                let name = person.map { $0.claims.name ?? $0.username }
                let heading =
                    name.map { visit.text("homeHello", ["name": $0]) } ?? visit.text("homeHeading")
                return visit.render(
                    "home", title: visit.text("homeTitle"),
                    [
                        "heading": heading, "mayOpenConsole": try await visit.mayOpenConsole(),
                        "mayRegister": visit.tenant.project.policy.selfRegistration,
                    ])
            }
        ]
    }
}
