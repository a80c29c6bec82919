// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import Testing

@testable import Agent

@Suite struct RequestOriginsTests {
    private let start = TestRecord.start
    private var origins = RequestOrigins()

    @Test("A person without a registered device, or without a username, has no origin")
    func unregistered() async throws {
        var record = try await TestRecord().record
        #expect(origins.origin(of: "bea", in: record) == nil)
        record.devices[.everyone]?.configuration = nil
        #expect(origins.origin(of: "anna", in: record) == nil)
    }

    @Test("An origin is current until the registration of the device or of the person ends")
    mutating func ends() async throws {
        let record = try await TestRecord().record
        for subject in [TestRecord.device, TestRecord.anna] {
            let origin = try #require(origins.origin(of: "anna", in: record))
            #expect(origins.isCurrent(origin, in: record))
            origins.handle(.ended(.person("bea")))
            #expect(origins.isCurrent(origin, in: record))
            origins.handle(.ended(subject))
            #expect(!origins.isCurrent(origin, in: record))
        }
    }

    @Test("A rotated key changes no registration")
    func rotated() async throws {
        var record = try await TestRecord().record
        let origin = try #require(origins.origin(of: "anna", in: record))
        record.devices[.everyone]?.signing = try await TestRecord.key()
        #expect(origins.isCurrent(origin, in: record))
    }

    @Test("Another username is another registration until the provider has identified the person")
    func renamed() async throws {
        var record = try await TestRecord().record
        let origin = try #require(origins.origin(of: "anna", in: record))
        record.people["anna"]?.loginUserName = "bea@example.com"
        #expect(!origins.isCurrent(origin, in: record))
        record.people["anna"]?.identity = TestRecord.identity()
        #expect(origins.isCurrent(origin, in: record))
    }

    @Test("A response shows that a leaving device is registered once its message has expired")
    func stays() async throws {
        let record = try await TestRecord().record
        let origin = try #require(origins.origin(of: "anna", in: record))
        let shows = { now in
            origins.showsRegistration(origin, leavingSince: start, now: now)
        }
        #expect(!shows(start + .seconds(359)))
        #expect(shows(start + .minutes(6)))
        #expect(!origins.showsRegistration(origin, leavingSince: nil, now: start + .days(1)))
    }

    @Test("A request before or during a departure does not show that the device is registered")
    mutating func departure() async throws {
        let record = try await TestRecord().record
        let later = start + .hours(1)
        let before = try #require(origins.origin(of: "anna", in: record))
        origins.handle(.departureStarted(.everyone))
        let during = try #require(origins.origin(of: "anna", in: record))
        #expect(during.departures == nil)
        #expect(!origins.showsRegistration(during, leavingSince: start, now: later))
        origins.handle(.departureFinished(.everyone))
        let after = try #require(origins.origin(of: "anna", in: record))
        for origin in [before, during] {
            #expect(!origins.showsRegistration(origin, leavingSince: start, now: later))
        }
        #expect(origins.showsRegistration(after, leavingSince: start, now: later))
    }

    @Test("Of two departures at once both have to finish")
    mutating func departures() async throws {
        let record = try await TestRecord().record
        origins.handle(.departureStarted(.everyone))
        origins.handle(.departureStarted(.everyone))
        origins.handle(.departureFinished(.everyone))
        #expect(origins.origin(of: "anna", in: record)?.departures == nil)
        origins.handle(.departureFinished(.everyone))
        #expect(origins.origin(of: "anna", in: record)?.departures == 2)
    }
}
