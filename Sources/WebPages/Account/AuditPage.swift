// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import Primitives
import ProviderCore
import ProviderPeople
import ProviderSettings
import Storage

/// What has happened in the project, for its administrators.
struct AuditPage: HTTPRouteGroup {
    let pages: Pages
    static let pageSize = 50

    func routes() -> [HTTPRoute] {
        [
            pages.page("/admin/audit") { visit in
                guard let signedIn = visit.signedIn else {
                    return visit.redirect("/sign-in?next=audit")
                }
                guard Administrators.include(signedIn.person) else {
                    return ErrorPages(pages: pages).page(
                        visit.request, .forbidden,
                        UserFacingRefusal.notAllowed.refusal(because: "not an administrator"))
                }
                return try await show(visit)
            }
        ]
    }

    private func show(_ visit: PageContext) async throws -> ServerResponse {
        let (filter, isUnknownPerson) = try await filter(visit)
        let cursor = visit.query["before"].flatMap { Identifier<AuditEvent>($0) }
        let events =
            isUnknownPerson
            ? []
            : try await AuditLogReader(pages.provider).page(
                filter, before: cursor, limit: Self.pageSize
            ).map(\.event)
        var values: [String: Any] = [
            "filter": shown(visit), "hasEvents": !events.isEmpty,
            "events": try await rows(events, visit),
        ]
        if events.count == Self.pageSize, let last = events.last {
            values["older"] = older(visit, before: last.id)
        }
        return visit.render("audit", title: visit.text("auditTitle"), values)
    }

    private func filter(_ visit: PageContext) async throws -> (AuditFilter, isUnknownPerson: Bool) {
        var filter = AuditFilter()
        // The page is limited to the project of its URL.
        filter.project = visit.tenant.project.id
        filter.action = typed("action", visit)
        filter.clientID = typed("client", visit)
        filter.requestID = typed("request", visit)
        filter.outcome = typed("outcome", visit).flatMap(AuditEvent.Outcome.init)
        guard let name = typed("person", visit) else { return (filter, false) }
        guard let username = UserName.canonical(name) else { return (filter, true) }
        filter.person = try await AuditLogReader(pages.provider)
            .person(username, in: visit.tenant.project.id)
        return (filter, filter.person == nil)
    }

    private func typed(_ name: String, _ visit: PageContext) -> String? {
        visit.query[name].flatMap { $0.isEmpty || $0.utf8.count > 128 ? nil : $0 }
    }

    private func shown(_ visit: PageContext) -> [String: Any] {
        let outcome = typed("outcome", visit)
        return [
            "action": typed("action", visit) ?? "", "client": typed("client", visit) ?? "",
            "person": typed("person", visit) ?? "",
            "request": typed("request", visit) ?? "", "accepted": outcome == "accepted",
            "refused": outcome == "refused",
        ]
    }

    private func rows(_ events: [AuditEvent], _ visit: PageContext) async throws -> [[String: Any]]
    {
        let names = try await AuditLogReader(pages.provider)
            .usernames(of: Set(events.compactMap(\.person)))
        return events.map { event in
            let isAccepted = event.outcome == .accepted
            return [
                "when": CivilTime(event.at).description,
                "iso": CivilTime(event.at).description.replacing(" ", with: "T") + "Z",
                "action": event.action, "many": event.count > 1 ? event.count : false as Any,
                "accepted": isAccepted,
                "outcome": isAccepted
                    ? visit.text("accepted") : event.code ?? visit.text("refused"),
                "who": event.person.map { names[$0] ?? $0.description } ?? "",
                "client": event.clientID ?? "",
                "address": event.address, "request": event.requestID,
            ]
        }
    }

    private func older(_ visit: PageContext, before id: Identifier<AuditEvent>) -> String {
        let kept = ["action", "client", "outcome", "person", "request"].compactMap { name in
            typed(name, visit).map { "\(name)=\(FormText.encode($0))" }
        }
        let query = (kept + ["before=\(id)"]).joined(separator: "&")
        return "\(visit.prefix)/admin/audit?\(query)"
    }
}
