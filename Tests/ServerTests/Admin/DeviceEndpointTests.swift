// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Testing

/// Machines and registration tokens, as an administrator sees them.
@Suite struct DeviceEndpointTests {
    private let house: AdminHouse
    private let tokens = "/projects/default/registration-tokens"
    private let devices = "/projects/default/devices"

    init() async throws { house = try await AdminHouse() }

    private func device() async throws -> Device {
        let project = try #require(
            try await house.provider.store.projects.project(named: "default"))
        let now = house.provider.clock.now
        let random = SystemRandomSource()
        let device = Device(
            id: Identifier(now: now, random: random), project: project.id, sharing: .shared,
            facts: DeviceAttributes(serial: "C02", hostName: "Anna's Mac"), registeredAt: now,
            lastSeenAt: now)
        let made = try await house.call(.post, tokens, body: [:])
        let token = try #require(made.body["token"]?.string)
        let keys = [DeviceKey.Use.signing, .encryption].map {
            DeviceKey(
                kid: random.bytes(32), project: project.id, device: device.id, use: $0,
                publicJWK: "{}", createdAt: now)
        }
        let hash = house.provider.secrets.hash(token.utf8, for: .deviceToken)
        let outcome = try await house.provider.store.devices.register(
            device, keys: keys, by: .token(hash: hash), provesIdentity: false,
            keyOverlap: .hours(1), now: now)
        #expect(outcome == .registered(device))
        return device
    }

    @Test("A token is shown once, when it is made, and never again")
    func token() async throws {
        let made = try await house.call(
            .post, tokens, body: ["label": "fleet", "maximum_uses": 200, "lifetime": 86_400])
        #expect(made.status == 201)
        let text = try #require(made.body["token"]?.string)
        #expect(text.hasPrefix("grt_") && text.utf8.count == 47)
        let listed = try await house.call(.get, tokens)
        #expect(!listed.body.text.contains(text))
        let item = try #require(listed.body["items"]?.array?.first)
        #expect(item["state"] == "active" && item["label"] == "fleet")
        #expect(item["maximum_uses"] == 200 && item["uses"] == 0)
        let id = try #require(item["id"]?.string)
        #expect(try await house.call(.delete, "\(tokens)/\(id)").status == 204)
        #expect(
            try await house.call(.delete, "\(tokens)/\(id)").code == "unknown_registration_token")
        let after = try await house.call(.get, tokens).body["items"]?.array
        #expect(after?.first?["state"] == "revoked")
    }

    @Test(
        "A wish that makes no sense is refused",
        arguments: [
            ["maximum_uses": 0], ["maximum_uses": "many"], ["lifetime": 59],
            ["lifetime": 999_999_999_999], ["serial_number": ""], ["serial_number": 7],
            ["label": "a\nb"], ["uses": 3],
        ] as [JSONValue])
    func wishes(body: JSONValue) async throws {
        let answer = try await house.call(.post, tokens, body: body)
        #expect(answer.status == 422)
        #expect(answer.code == "invalid_token")
    }

    @Test("A machine is listed, shown with its keys, and revoked once")
    func machine() async throws {
        let device = try await device()
        let listed = try await house.call(.get, devices).body["items"]?.array
        #expect(listed?.first?["host_name"] == "Anna's Mac")
        let path = "\(devices)/\(device.id)"
        let shown = try await house.call(.get, path).body
        #expect(shown["state"] == "active" && shown["serial_number"] == "C02")
        #expect(shown["keys"]?.array?.count == 2 && shown["users"] == [])
        #expect(try await house.call(.post, path + "/revoke").status == 204)
        #expect(try await house.call(.post, path + "/revoke").code == "revoked")
        #expect(try await house.call(.get, path).body["state"] == "revoked")
    }

    @Test("Machines and tokens of another project are unknown")
    func projects() async throws {
        let device = try await device()
        #expect(try await house.call(.put, "/projects/qa", body: [:]).status == 201)
        let path = "/projects/qa/devices"
        #expect(try await house.call(.get, path).body["items"] == [])
        #expect(try await house.call(.get, "\(path)/\(device.id)").code == "unknown_device")
        #expect(
            try await house.call(.post, "\(path)/\(device.id)/revoke").code == "unknown_device")
        #expect(try await house.call(.get, "\(devices)/nonsense").code == "unknown_device")
        for list in ["devices", "registration-tokens"] {
            #expect(try await house.call(.get, "/projects/nope/\(list)").code == "unknown_project")
        }
        #expect(
            try await house.call(.post, "/projects/nope/registration-tokens", body: [:]).code
                == "unknown_project")
    }

    @Test("The report of device management is stored for a time, for active devices")
    func compliance() async throws {
        let device = try await device()
        let path = "\(devices)/\(device.id)/compliance"
        let good = try await house.call(.put, path, body: ["state": "compliant", "lifetime": 600])
        #expect(good.status == 204)
        let shown = try await house.call(.get, "\(devices)/\(device.id)").body
        #expect(shown["compliance"] == "compliant")
        #expect(shown["compliance_until"]?.string != nil)
        for wrong: JSONValue in [
            [:], ["state": "fine"], ["state": 1], ["state": "compliant", "lifetime": 59],
            ["state": "compliant", "lifetime": "long"],
        ] {
            let answer = try await house.call(.put, path, body: wrong)
            #expect(answer.status == 422 && answer.code == "invalid_compliance")
        }
        #expect(try await house.call(.put, path, body: ["state": "unknown"]).status == 204)
        let after = try await house.call(.get, "\(devices)/\(device.id)").body
        #expect(after["compliance"] == nil)
        let nobody = try await house.call(
            .put, "\(devices)/nobody/compliance", body: ["state": "compliant"])
        #expect(nobody.status == 404)
        _ = try await house.call(.post, "\(devices)/\(device.id)/revoke")
        #expect(try await house.call(.put, path, body: ["state": "compliant"]).status == 409)
    }

    @Test("Encryption keys rotate, and only one that was rotated out is retired")
    func encryptionKeys() async throws {
        let path = "/projects/default/encryption-keys"
        let first = try await house.call(.get, path).body["items"]?.array ?? []
        #expect(first.map { $0["state"]?.string } == ["active"])
        let old = try #require(first.first?["id"]?.string)
        #expect(try await house.call(.post, "\(path)/\(old)/retire").code == "not_retiring")
        #expect(try await house.call(.post, "\(path)/nobody/retire").status == 409)
        let second = try await house.call(.post, "\(path)/rotate").body["items"]?.array ?? []
        #expect(Set(second.compactMap { $0["state"]?.string }) == ["active", "retiring"])
        #expect(second.allSatisfy { $0["kid"]?.string?.utf8.count == 44 })
        let third = try await house.call(.post, "\(path)/\(old)/retire").body["items"]?.array
        #expect(third?.count == 1 && third?.first?["id"]?.string != old)
        #expect(try await house.call(.get, "/projects/none/encryption-keys").status == 404)
    }

    @Test("A person is removed from a device, which keeps its other people")
    func removeUser() async throws {
        let device = try await device()
        let store = house.provider.store
        let now = house.provider.clock.now
        let made = try await house.call(
            .put, "/projects/default/people/anna", body: ["name": "Anna"])
        #expect(made.status < 300)
        let anna = try #require(
            try await store.people.person(username: "anna", in: device.project))
        let key = DeviceKey(
            kid: SystemRandomSource().bytes(32), project: device.project, device: device.id,
            person: anna.id, use: .user, publicJWK: "{}", createdAt: now)
        let user = DeviceUser(
            project: device.project, device: device.id, person: anna.id, method: .userKey,
            loginName: "anna", registeredAt: now)
        #expect(try await store.devices.register(user, key: key, now: now) == .done)
        let path = "\(devices)/\(device.id)/users"
        #expect(try await house.call(.delete, "\(path)/nobody").code == "unknown_person")
        #expect(try await house.call(.delete, "\(path)/anna").status == 204)
        #expect(try await house.call(.delete, "\(path)/anna").code == "unknown_person")
        let later = house.provider.clock.now
        #expect(try await store.devices.userKeys(of: anna.id, on: device.id, now: later).isEmpty)
        let shown = try await house.call(.get, "\(devices)/\(device.id)")
        #expect(shown.body["state"] == "active" && shown.body["users"]?.array?.isEmpty == true)
        var filter = AuditFilter()
        filter.action = "admin.device.user-remove"
        let events = try await store.auditLog.auditEvents(filter, before: nil, limit: 9)
        #expect(events.map(\.person) == [anna.id])
    }
}
