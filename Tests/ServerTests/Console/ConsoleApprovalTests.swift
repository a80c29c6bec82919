// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Approvals on a person's page: what waits, what came of the others, and asking as a test.
@Suite struct ConsoleApprovalTests {
    private let root = "/console/projects/default"

    private func offering() async throws -> ConsoleHouse {
        let house = try await ConsoleHouse()
        var project = try #require(try await house.store.projects.project(house.home.id))
        project.policy.registration.approvals.enabled = true
        #expect(try await house.store.projects.save(project))
        house.pages.provider.tenants.invalidate()
        return house
    }

    private func ask(
        _ house: ConsoleHouse, _ person: Person, _ client: Client, _ message: String,
        state: Approval.State = .pending, after: TimeSpan = .seconds(0)
    ) async throws {
        let now = house.pages.clock.now + after
        let event = AuditEvent(
            id: house.identifier(), project: person.project, at: now,
            action: "approval.requested", outcome: .accepted, address: "", requestID: "r")
        try await house.store.approvals.save(
            Approval(
                id: house.identifier(), project: person.project, client: client.id,
                requestHash: house.pages.random.bytes(32), person: person.id, scope: "openid",
                message: message, transaction: "IBAN DE00", nonce: house.pages.random.bytes(32),
                state: state, createdAt: now, expiresAt: now + .minutes(5)),
            recording: event)
    }

    @Test("support sees what waits and what was answered, newest first, and not what is signed")
    func list() async throws {
        let house = try await offering()
        let (bea, bank) = (try await house.person("bea"), try await house.client("bank"))
        try await ask(house, bea, bank, "Pay 5", state: .denied)
        try await ask(house, bea, bank, "Pay 9", after: .seconds(2))
        var browser = try await house.administrator(.support, in: house.home)
        let page = try await browser.get("\(root)/people/\(bea.id)").text
        let (late, early) = (page.firstRange(of: "Pay 9"), page.firstRange(of: "Pay 5"))
        #expect(try #require(late).lowerBound < #require(early).lowerBound)
        #expect(page.contains(">pending<") && page.contains(">denied<"))
        #expect(!page.contains("IBAN"))
        #expect(page.contains("audit?action=approval.&amp;person=\(bea.id)"))
    }

    @Test("another person's, and another project's, are not shown")
    func others() async throws {
        let house = try await offering()
        let (bea, carla) = (try await house.person("bea"), try await house.person("carla"))
        let bank = try await house.client("bank")
        try await ask(house, carla, bank, "Pay 7")
        var browser = try await house.administrator(.support, in: house.home)
        #expect(try await !browser.get("\(root)/people/\(bea.id)").text.contains("Pay 7"))
        var other = try await house.administrator(.support, in: house.qa, named: "pia")
        let path = "/console/projects/qa/people/\(carla.id)"
        #expect(try await other.get(path).status == .notFound)
    }

    @Test("a test request is refused without the right, and for a person without an app")
    func refusals() async throws {
        let house = try await offering()
        let bea = try await house.person("bea")
        try await house.client("shop")
        var bank = try await house.client("bank")
        bank.metadata.grantTypes = [TokenRequest.backchannelGrantType]
        #expect(try await house.store.clients.save(bank, now: house.pages.clock.now))
        var browser = try await house.administrator(.support, in: house.home)
        let page = "\(root)/people/\(bea.id)"
        for (client, status, words) in [
            ("", 404, "This client does not exist"), ("nobody", 404, "This client does not exist"),
            ("shop", 409, "send approval requests"), ("bank", 409, "accepts approval requests"),
        ] {
            _ = try await browser.get(page)
            let answer = try await browser.submit(page + "/approvals", ["client_id": client])
            #expect(answer.status.code == status, "\(client)")
            #expect(answer.text.contains(words), "\(client)")
        }
        #expect(try await house.store.approvals.approvals(of: bea.id, limit: 5).isEmpty)
    }

    @Test("nothing is said of approvals where a project asks for none")
    func off() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        var browser = try await house.administrator(.support, in: house.home)
        let page = try await browser.get("\(root)/people/\(bea.id)").text
        #expect(!page.contains("data-action=\"ask-approval\""))
    }
}
