// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Devices on the account page: their user keys are sign-in methods like passkeys.
@Suite struct PagesMachineTests {
    private func machine(
        _ house: PagesHouse, of username: String, holdsKey: Bool = true
    ) async throws -> Device {
        let now = house.clock.now
        let person = try await house.person(username)
        let device = Device(
            id: Identifier(now: now, random: house.random), project: house.project.id,
            sharing: .shared,
            facts: DeviceAttributes(
                serial: "C02-\(username)", model: "Mac15,3", hostName: "\(username)'s <Mac>"),
            registeredBy: person.id, registeredAt: now, lastSeenAt: now)
        func key(_ use: DeviceKey.Use, _ person: Identifier<Person>? = nil) -> DeviceKey {
            DeviceKey(
                kid: house.random.bytes(32), project: house.project.id, device: device.id,
                person: person, use: use, publicJWK: "{}", createdAt: now)
        }
        let store = house.provider.store
        let outcome = try await store.devices.register(
            device, keys: [key(.signing), key(.encryption)], by: .person(person.id),
            provesIdentity: false, keyOverlap: .hours(1), now: now)
        #expect(outcome == .registered(device))
        let user = DeviceUser(
            project: house.project.id, device: device.id, person: person.id,
            method: holdsKey ? .userKey : .password, loginName: username, registeredAt: now)
        let registered = try await store.devices.register(
            user, key: holdsKey ? key(.user, person.id) : nil, now: now)
        #expect(registered == .done)
        return device
    }

    private func keys(_ house: PagesHouse, on device: Device) async throws -> Int {
        let person = try await house.person("anna")
        return try await house.provider.store.devices.userKeys(
            of: person.id, on: device.id, now: house.clock.now
        ).count
    }

    @Test("the account page shows the devices of a person, and which of them have a key")
    func shown() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        #expect(!(try await browser.get("/account").text.contains("machine-remove")))
        let device = try await machine(house, of: "anna")
        let page = try await browser.get("/account").text
        #expect(page.contains("/account/machines/\(device.id)/remove"))
        #expect(page.contains("key on this device") && !page.contains("<Mac>"))
        var bert = try await house.registered("bert")
        _ = try await machine(house, of: "bert", holdsKey: false)
        let other = try await bert.get("/account").text
        #expect(!other.contains(device.id.description))
        #expect(other.contains("machine-remove") && !other.contains("key on this device"))
    }

    @Test("its owner takes a machine's key back, with all that hangs on it, and it is written down")
    func removed() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        let device = try await machine(house, of: "anna")
        _ = try await browser.get("/account")
        let answer = try await browser.submit("/account/machines/\(device.id)/remove", [:])
        #expect(answer.location == "/account?done=machine")
        #expect(try await keys(house, on: device) == 0)
        #expect(try await house.provider.store.devices.users(of: device.id).isEmpty)
        // The machine itself stays.
        #expect(try await house.provider.store.devices.device(device.id)?.revokedAt == nil)
        let page = try await browser.get("/account?done=machine").text
        #expect(
            page.contains("Your account has been removed from the device")
                && page.contains("Account removed from a device"))
        var filter = AuditFilter()
        filter.action = "credential.machine.removed"
        let events = try await house.provider.store.auditLog.auditEvents(
            filter, before: nil, limit: 9)
        #expect(events.map(\.outcome) == [.accepted])
        #expect(events.first?.details.contains(device.id.description) == true)
    }

    @Test("an old sign-in takes back no key: a fresh one is asked for")
    func stale() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        let device = try await machine(house, of: "anna")
        house.clock.advance(by: .minutes(30))
        _ = try await browser.get("/account")
        let answer = try await browser.submit("/account/machines/\(device.id)/remove", [:])
        #expect(answer.location == "/sign-in?next=resume&again=1")
        #expect(try await keys(house, on: device) == 1)
    }

    @Test("another's machine, one that is not there, and one twice, are refused")
    func unknown() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        let own = try await machine(house, of: "anna")
        _ = try await house.registered("bert")
        let others = try await machine(house, of: "bert")
        let nobodys = Identifier<Device>(now: house.clock.now, random: house.random)
        _ = try await browser.get("/account")
        for id in [others.id.description, nobodys.description, "x"] {
            let answer = try await browser.submit("/account/machines/\(id)/remove", [:])
            #expect(answer.status.code >= 400 && answer.status.code < 500, "\(id)")
            _ = try await browser.get("/account")
        }
        #expect(try await house.provider.store.devices.users(of: others.id).count == 1)
        _ = try await browser.submit("/account/machines/\(own.id)/remove", [:])
        _ = try await browser.get("/account")
        let twice = try await browser.submit("/account/machines/\(own.id)/remove", [:])
        #expect(twice.status.code >= 400 && twice.status.code < 500)
    }

    @Test("another site cannot remove a person from a device, nor can a form without its token")
    func forged() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        let device = try await machine(house, of: "anna")
        let path = "/account/machines/\(device.id)/remove"
        _ = try await browser.get("/account")
        browser.fetchSite = "cross-site"
        #expect(try await browser.submit(path, [:]).status == .forbidden)
        browser.fetchSite = "same-origin"
        #expect(try await browser.submit(path, ["form_token": "x"]).status == .forbidden)
        var stranger = house.browser()
        _ = try await stranger.get("/sign-in")
        #expect(try await stranger.submit(path, [:]).location == "/sign-in?next=account")
        #expect(try await keys(house, on: device) == 1)
    }
}
