// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import Storage
import Support
import Testing

@testable import HTTPServer

/// Machines in the console: what is known of them, whose they are, and how they come back.
@Suite struct ConsoleMachineTests {
    private let root = "/console/projects/default"

    @Test("a machine shows its attestation and compliance, and a person their machines")
    func shown() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        let device = try await house.machine(of: bea)
        var browser = try await house.administrator(.support)
        let page = "\(root)/devices/\(device.id)"
        let first = try await browser.get(page).text
        for word in ["MacBookPro18,3", "C02XYZ", "apple", "15.1", "bea"] {
            #expect(first.contains(word), "\(word)")
        }
        let now = house.pages.clock.now
        #expect(
            try await house.store.devices.note(
                compliance: .noncompliant, until: now + .hours(1), of: device.id,
                in: house.home.id))
        #expect(try await browser.get(page).text.contains("badge bad\">Not compliant<"))
        let person = try await browser.get(root + "/people/bea").text
        #expect(
            person.contains("/devices/\(device.id)")
                && person.contains("badge bad\">Not compliant<"))
        #expect(
            try await browser.get(root + "/devices").text.contains("badge bad\">Not compliant<"))
        house.pages.clock.advance(by: .hours(2))
        var again = try await house.administrator(.support, named: "pia")
        #expect(try await again.get(page).text.contains("Report expired"))
        // A person without devices has no list of them.
        #expect(!(try await again.get(root + "/people/pia").text.contains("/devices/")))
    }

    @Test("a machine registers again by a token for its serial number, which is shown once")
    func again() async throws {
        let house = try await ConsoleHouse()
        let device = try await house.machine(of: try await house.person("bea"))
        var browser = try await house.administrator(.owner)
        let page = "\(root)/devices/\(device.id)"
        #expect(try await browser.get(page).text.contains("data-action=\"register-again\""))
        let made = try await browser.submit(page + "/register-again", [:])
        #expect(made.status == .ok && made.text.contains("grt_"))
        #expect(made.response.headers[.cacheControl] == "no-store")
        #expect(!(try await browser.get(page).text.contains("grt_")))
        let tokens = try await house.store.devices.deviceTokens(
            of: house.home.id, after: nil, limit: 9)
        #expect(tokens.map(\.serial) == ["C02XYZ"] && tokens.map(\.maximumUses) == [1])
        // Under another project the machine is not there.
        let elsewhere = "/console/projects/qa/devices/\(device.id)"
        _ = try await browser.get("/console/projects/qa")
        #expect(
            try await browser.submit(elsewhere + "/register-again", [:]).status == .notFound)
        #expect(
            try await house.store.devices.deviceTokens(of: house.qa.id, after: nil, limit: 9)
                .isEmpty)
    }

    @Test("what happened to a machine is found by it, in the console and by the Admin API")
    func trail() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        let device = try await house.machine(of: bea)
        let other = try await house.machine(of: bea, serial: "C03")
        var browser = try await house.administrator(.owner)
        let page = try await browser.get("\(root)/devices/\(device.id)").text
        #expect(page.contains("\(root)/audit?device=\(device.id)"))
        let removal = "\(root)/devices/\(device.id)/users/\(bea.id)/remove"
        let seal = try house.seal(try await browser.get(removal))
        let removed = try await browser.submit(removal, ["seal": seal, "confirmation": "bea"])
        #expect(removed.location == "\(root)/devices/\(device.id)?done=deviceUser")
        _ = try await browser.get("\(root)/devices/\(other.id)")
        _ = try await browser.submit(
            "\(root)/devices/\(other.id)/compliance", ["state": "compliant", "hours": "1"])
        func shown(_ device: Device) async throws -> [Bool] {
            let trail = try await browser.get("\(root)/audit?device=\(device.id)").text
            return ["admin.device.user-remove", "admin.device.compliance"]
                .map { trail.contains(">\($0)") }
        }
        #expect(try await shown(device) == [true, false])
        #expect(try await shown(other) == [false, true])
        // Another project's trail has none of it.
        let elsewhere = try await browser.get("/console/projects/qa/audit?device=\(device.id)")
        #expect(!elsewhere.text.contains("admin.device."))
        browser.language = "de"
        for wrong in ["x", bea.username, "\(device.id)0"] {
            let answer = try await browser.get("\(root)/audit?device=\(wrong)")
            #expect(answer.status == .badRequest, "\(wrong)")
            #expect(answer.text.contains("Gerätekennung"))
        }
    }
}
