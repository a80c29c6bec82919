// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderAdministration
import Storage
import Support
import Testing

@testable import AdminConsole
@testable import HTTPServer

/// The audit trail in the console: filters, pages, files.
@Suite struct ConsoleAuditTests {
    private let audit = "/console/projects/default/audit"

    private func event(
        _ house: ConsoleHouse, _ action: String, in project: Project? = nil, client: String? = nil,
        code: String? = nil
    ) -> AuditEvent {
        AuditEvent(
            id: house.identifier(), project: (project ?? house.home).id, at: house.pages.clock.now,
            action: action, outcome: code == nil ? .accepted : .refused, code: code,
            clientID: client, address: "192.0.2.7", requestID: "r7")
    }

    @Test("filters narrow the list, and none of them looks into another project")
    func filters() async throws {
        let house = try await ConsoleHouse()
        try await house.store.auditLog.append([
            event(house, "sign-in.passkey", client: "shop"),
            event(house, "sign-in.password", code: "invalid_credentials"),
            event(house, "secret.of-qa", in: house.qa),
        ])
        var browser = try await house.administrator(.auditor)
        func shows(_ query: String, _ word: String) async throws -> Bool {
            try await browser.get("\(audit)?\(query)").text.contains(">\(word)")
        }
        #expect(try await shows("", "sign-in.passkey"))
        #expect(try await shows("action=sign-in.", "sign-in.password"))
        #expect(try await !shows("action=sign-in.passkey", "sign-in.password"))
        #expect(try await !shows("outcome=accepted", "sign-in.password"))
        #expect(try await shows("outcome=refused", "invalid_credentials"))
        #expect(try await shows("client=shop", "sign-in.passkey"))
        #expect(try await !shows("client=wiki", "sign-in.passkey"))
        #expect(try await !shows("", "secret.of-qa"))
        #expect(try await !shows("project=qa", "secret.of-qa"))
        #expect(try await shows("person=olga", "registration.password"))
        for (query, status) in [
            ("person=nobody", 409), ("outcome=maybe", 400), ("since=yesterday", 400),
            ("since=2026-13-99", 400), ("cursor=x", 400),
        ] {
            #expect(try await browser.get("\(audit)?\(query)").status.code == status, "\(query)")
        }
    }

    @Test("the request number of an error page finds its event in console and Admin API")
    func requestNumber() async throws {
        let house = try await ConsoleHouse()
        let refused = event(house, "authorization", client: "shop", code: "invalid_request")
        var other = event(house, "sign-in.passkey", client: "wiki")
        other.requestID = "r8"
        try await house.store.auditLog.append([refused, other])
        var browser = try await house.administrator(.auditor)
        let found = try await browser.get("\(audit)?request=r7").text
        #expect(found.contains("invalid_request") && !found.contains(">sign-in.passkey"))
        #expect(found.contains(#"name="request" value="r7""#))
        // Only requests with a refusal are found.
        #expect(try await !browser.get("\(audit)?request=r8").text.contains(">sign-in.passkey"))
        #expect(try await !browser.get("\(audit)?request=r9").text.contains("invalid_request"))
        let csv = try await browser.get(audit + "/export?format=csv&request=r7").text
        #expect(csv.contains("invalid_request") && !csv.contains("sign-in.passkey"))
    }

    @Test("a row says what was done to what, and the words of the event are text")
    func details() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let root = "/console/projects/default"
        _ = try await browser.get(root)
        _ = try await browser.submit(
            root + "/entitlement-sets/save", ["name": "gold", "entitlements": "{}"])
        var strange = event(house, "strange.thing")
        let words: JSONValue = [
            "name": "<b>x</b>", "long": .string(String(repeating: "y", count: 500)),
        ]
        strange.details = words.text
        try await house.store.auditLog.append([strange])
        let page = try await browser.get(audit).text
        #expect(page.contains("name gold"))
        // The actor is displayed once.
        let olga = try await house.pages.person("olga").id
        #expect(!page.contains("by \(olga)"))
        #expect(page.contains("&lt;b&gt;x") && !page.contains("<b>x"))
        // The registered addresses of a refused request are in the row.
        #expect(page.contains(String(repeating: "y", count: 400)))
        #expect(!page.contains(String(repeating: "y", count: 481)))
    }

    @Test("a person's own page says who did it and by which token; ids are in the file")
    func ownEvents() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let bea = try await house.person("bea")
        var done = event(house, "admin.person.update")
        done.person = bea.id
        let olga = try await house.pages.person("olga").id
        let token: Identifier<APIToken> = house.identifier()
        let words: JSONValue = [
            "name": "bea", "by": .string(olga.description), "api_token": "ci",
            "api_token_id": .string(token.description),
        ]
        done.details = words.text
        try await house.store.auditLog.append([done])
        let own = try await browser.get("/console/projects/default/people/\(bea.id)").text
        #expect(own.contains("by olga, token ci · name bea"))
        let all = try await browser.get(audit).text
        #expect(all.contains("by olga, token ci") && !all.contains("token ci · name bea"))
        for page in [own, all] {
            #expect(!page.contains(token.description) && !page.contains("api_token"))
        }
    }

    @Test("a file holds what the filter finds, beyond one page, and says who took it")
    func export() async throws {
        let house = try await ConsoleHouse()
        let events = (0..<450).map { _ in event(house, "token.refresh", client: "shop") }
        try await house.store.auditLog.append(events + [event(house, "other.thing")])
        var browser = try await house.administrator(.auditor)
        let csv = try await browser.get(audit + "/export?format=csv&action=token.refresh")
        #expect(csv.response.headers[.contentType]?.hasPrefix("text/csv") == true)
        #expect(
            csv.response.headers[.contentDisposition]
                == "attachment; filename=\"audit-default.csv\"")
        let lines = csv.text.split(separator: "\r\n")
        #expect(lines.count == 451)
        #expect(lines.first?.hasPrefix("time,project,action,outcome") == true)
        let json = try await browser.get(audit + "/export?format=json&action=token.refresh")
        let parsed = try JSONParser.parse(json.response.body, maximumBytes: 1 << 20)
        #expect(parsed["events"]?.array?.count == 450)
        var filter = AuditFilter()
        filter.action = "admin.audit.export"
        let taken = try await house.store.auditLog.auditEvents(filter, before: nil, limit: 5)
        let olga = try await house.pages.person("olga").id
        #expect(taken.count == 2)
        #expect(taken.allSatisfy { $0.details.contains(olga.description) })
        for query in ["", "format=xml", "format=csv&outcome=maybe"] {
            let answer = try await browser.get(audit + "/export?" + query)
            #expect((400..<500).contains(answer.status.code), "\(query)")
        }
    }

    @Test("a file of more than 10,000 events is whole, and is sent in pieces of one page each")
    func longExport() async throws {
        let house = try await ConsoleHouse()
        let count = 10_450
        let events = (0..<count).map { _ in event(house, "token.refresh") }
        try await house.store.auditLog.append(events)
        var browser = try await house.administrator(.auditor)
        let csv = try await pieces("csv", &browser)
        #expect(csv.count > count / 200 && csv.allSatisfy { $0.count < 64 * 1024 })
        let lines = String(decoding: csv.joined(), as: UTF8.self).split(separator: "\r\n")
        #expect(lines.count == count + 1)
        let json = try JSONParser.parse(
            Array(try await pieces("json", &browser).joined()), maximumBytes: 16 << 20)
        let ids = json["events"]?.array?.compactMap { $0["id"]?.string }
        #expect(ids == events.map(\.id).sorted(by: >).map(\.description))
    }

    private func pieces(_ format: String, _ browser: inout Browser) async throws -> [[UInt8]] {
        let query = "/export?action=token.refresh&format=" + format
        let answer = try await browser.send(
            .get, audit + query, headers: [.accept: "text/html"], body: [], isCollected: false)
        #expect(answer.response.body.isEmpty)
        let pieces = Shared<[[UInt8]]>([])
        try await answer.response.stream?.send { piece in pieces.withLock { $0.append(piece) } }
        return pieces.withLock(\.self)
    }

    @Test("a file whose next page cannot be read ends with an error, and not with its last line")
    func brokenExport() async throws {
        let house = try await ConsoleHouse()
        try await house.store.auditLog.append(
            (0..<450).map { _ in event(house, "token.refresh", in: house.qa) })
        var browser = try await house.administrator(.owner)
        let answer = try await browser.send(
            .get, "/console/projects/qa/audit/export?format=json",
            headers: [.accept: "text/html"], body: [], isCollected: false)
        let stream = try #require(answer.response.stream)
        let count = Shared(0)
        await #expect(throws: AdministrativeRefusal.self) {
            try await stream.send { _ in
                let isSecond = count.withLock {
                    $0 += 1
                    return $0 == 2
                }
                if isSecond { try await house.store.projects.remove(project: house.qa.id) }
            }
        }
        #expect(count.withLock(\.self) == 2)
    }

    @Test(
        "a field that a spreadsheet would run is text",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
            ("\tx", "'\tx"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
            ("=\"x\"", "\"'=\"\"x\"\"\""), ("plain", "plain"),
        ])
    func formulas(_ text: String, _ field: String) throws {
        let event: JSONValue = ["client_id": .string(text)]
        #expect(ConsoleExport(.csv).text([event]) == ",,,,,,\(field),,,,\r\n")
    }
}
