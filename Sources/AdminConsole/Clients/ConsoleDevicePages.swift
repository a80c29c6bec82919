// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE
import Primitives
import ProviderAdministration
import Storage
import WebPages

/// Machines that sign people in: all of a project, one, and its end.
struct ConsoleDevicePages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = ConsoleRouteGuard.project + "/devices"
    private static let hours: ClosedRange<Int64> = 1...8760

    var routes: [HTTPRoute] {
        let revocation = ConsoleRemoval(
            pattern: Self.path + "/{device}/revoke", action: .endDevices, part: "devices",
            name: "device", operation: .revokeDevice,
            find: { console in
                try await Self.overview(console).map { found in
                    ConsoleRemoval.Target(
                        word: ConsoleDeviceRow.name(found.device),
                        page: console.path("devices", console[parameter: "device"]),
                        list: console.path("devices"))
                }
            })
        return [
            frame.page(Self.path, .seeDevices) { try await list($0) },
            frame.page(Self.path + "/{device}", .seeDevices) { try await show($0) },
            frame.form(
                Self.path + "/{device}/register-again", .changeRegistrationTokens, isGrave: true
            ) { console, _ in try await registerAgain(console) },
            frame.form(Self.path + "/{device}/compliance", .endDevices, isGrave: true) {
                try await comply($0, $1)
            },
        ] + revocation.routes(frame) + userRemoval.routes(frame)
    }

    /// Removes a person from a device. The keys are revoked; the person registers again with new
    /// ones.
    private var userRemoval: ConsoleRemoval {
        ConsoleRemoval(
            pattern: Self.path + "/{device}/users/{person}/remove", action: .endDevices,
            part: "devices", name: "deviceUser", operation: .removeDeviceUser,
            find: { console in
                try await Self.overview(console).flatMap { found in
                    let person = Identifier<Person>(console[parameter: "person"])
                    guard let user = found.users.first(where: { $0.person == person }) else {
                        return .failure(.unknown("person"))
                    }
                    return .success(
                        ConsoleRemoval.Target(
                            word: found.usernames[user.person] ?? "",
                            list: console.path("devices", console[parameter: "device"])))
                }
            })
    }

    private static func overview(
        _ console: ConsoleContext
    ) async throws -> AdministrativeResult<DeviceAdministration.Overview> {
        try await console.call(.showDevice) {
            try await DeviceAdministration($0).overview(console[parameter: "device"])
        }
    }

    private func list(_ console: ConsoleContext) async throws -> ServerResponse {
        let row = ConsoleDeviceRow(console)
        let list = ConsoleList(
            operation: .listDevices, address: console.path("devices"), columns: row.columns,
            empty: console.text("consoleDevicesNone")
        ).searched(console)
        let found = try await list.read(
            console, { DeviceAdministration($0).list(startingWith: console.search) },
            row: row.cells)
        guard let table = found.value else { return console.refuse(found.refusal, part: "devices") }
        return console.render(
            console.text("consolePart.devices"), lead: console.text("consoleDevicesLead"),
            part: "devices",
            sections: [
                ConsoleSection(
                    filters: [list.filter(console, "consoleSearchDevices")], table: table)
            ])
    }

    private func show(
        _ console: ConsoleContext, refusal: AdministrativeRefusal? = nil,
        typed: FormParameters? = nil
    ) async throws -> ServerResponse {
        let overview = try await Self.overview(console)
        guard let found = overview.value else {
            return console.refuse(overview.refusal, part: "devices")
        }
        let device = found.device
        var sections = [facts(console, device)]
        if console.may(.endDevices), device.revokedAt == nil {
            sections.append(compliance(console, device, typed))
        }
        if let attestation = attestation(console, device) { sections.append(attestation) }
        sections += [users(console, found), keys(console, found.keys)]
        if let registration = registration(console, device) { sections.append(registration) }
        if console.may(.seeAudit) { sections.append(events(console, device)) }
        if console.may(.endDevices), device.revokedAt == nil {
            sections.append(
                ConsoleSection(
                    title: console.text("consoleActions"),
                    hint: console.text("consoleDeviceRevokeHint"),
                    links: [
                        ConsoleLink(
                            text: console.text("consoleDeviceRevoke"),
                            href: console.path("devices", device.id.description, "revoke"),
                            isDanger: true, action: "revoke")
                    ]))
        }
        return console.render(
            ConsoleDeviceRow.name(device), part: "devices", sections: sections,
            up: console.up(to: "devices"), refusal: refusal)
    }

    /// Where to read what happened there.
    private func events(_ console: ConsoleContext, _ device: Device) -> ConsoleSection {
        ConsoleSection(
            title: console.text("events"),
            links: [
                ConsoleLink(
                    text: console.text("consoleDeviceEvents"),
                    href: console.path("audit") + "?device=\(device.id)")
            ])
    }

    private func facts(_ console: ConsoleContext, _ device: Device) -> ConsoleSection {
        let row = ConsoleDeviceRow(console)
        var facts = [
            ConsoleFact(console.text("consoleState"), row.state(device)),
            ConsoleFact(console.text("consoleCompliance"), row.compliance(device)),
        ]
        for (key, value) in [
            ("consoleModel", device.facts.model), ("consoleSerial", device.facts.serial),
            ("consoleUDID", device.facts.udid), ("consoleSystem", device.facts.systemVersion),
        ] where !value.isEmpty {
            facts.append(ConsoleFact(console.text(key), ConsoleCell(value)))
        }
        for (key, time) in [
            ("consoleMade", device.registeredAt), ("consoleSeen", device.lastSeenAt),
        ] {
            facts.append(ConsoleFact(console.text(key), ConsoleCell(console.when(time))))
        }
        return ConsoleSection(facts: facts)
    }

    // MARK: What device management would say

    private func compliance(
        _ console: ConsoleContext, _ device: Device, _ typed: FormParameters?
    ) -> ConsoleSection {
        let field = ConsoleField(
            "state", "consoleCompliance", .choice(["compliant", "noncompliant", "unknown"]))
        let form = ConsoleForm(
            "compliance", to: console.path("devices", device.id.description, "compliance"),
            button: console.text("save"), weight: .quiet,
            inputs: [
                field.input(
                    console, ["state": .string(device.compliance?.rawValue ?? "unknown")],
                    typed: typed),
                ConsoleInput(
                    "hours", console.text("consoleHours"), value: typed?["hours"] ?? "24",
                    hint: console.text("consoleComplianceHint") + " " + console.text(Self.hours),
                    limit: 4),
            ])
        return ConsoleSection(
            title: console.text("consoleComplianceReport"),
            hint: console.text("consoleComplianceReportHint"), forms: [form])
    }

    private func comply(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        guard let hours = Int64(form["hours"] ?? ""), Self.hours.contains(hours) else {
            return try await show(console, refusal: .conflict("invalid_number"), typed: form)
        }
        let answer = try await console.ask(
            .putDeviceCompliance, [.device: console[parameter: "device"]],
            body: ["state": .string(form["state"] ?? ""), "lifetime": .integer(hours * 3600)])
        if let refusal = answer.refusal {
            return try await show(console, refusal: refusal, typed: form)
        }
        return console.redirect(
            console.path("devices", console[parameter: "device"]), done: "saved")
    }

    /// Returns the section with the attested values of the device, or `nil` if there are none.
    private func attestation(
        _ console: ConsoleContext, _ device: Device
    ) -> ConsoleSection? {
        let attestation = try? JSONParser.parseObject(
            Array(device.attestation.utf8), maximumBytes: 65_536)
        guard let members = attestation?.members, !members.isEmpty else { return nil }
        return ConsoleSection(
            title: console.text("consoleAttestation"),
            facts: members.map {
                ConsoleFact(
                    $0.name, ConsoleCell($0.value.string ?? $0.value.text, isCode: true))
            })
    }

    /// A token for this very machine: with it the machine registers again, also when it was
    /// revoked, with new keys.
    private func registration(
        _ console: ConsoleContext, _ device: Device
    ) -> ConsoleSection? {
        guard console.may(.changeRegistrationTokens),
            !device.facts.serial.isEmpty
        else { return nil }
        return ConsoleSection(
            title: console.text("consoleDeviceAgain"),
            hint: console.text("consoleDeviceAgainHint"),
            forms: [
                ConsoleForm(
                    "register-again",
                    to: console.path("devices", device.id.description, "register-again"),
                    button: console.text("consoleTokenCreate"), weight: .quiet)
            ])
    }

    private func registerAgain(_ console: ConsoleContext) async throws -> ServerResponse {
        let overview = try await Self.overview(console)
        guard let device = overview.value?.device else {
            return console.refuse(overview.refusal, part: "devices")
        }
        let made = try await console.ask(
            .createRegistrationToken,
            body: [
                "label": .string(ConsoleDeviceRow.name(device)),
                "serial_number": .string(device.facts.serial), "maximum_uses": 1,
                "lifetime": 86_400,
            ])
        guard let text = made.value?["token"]?.string else {
            return try await show(console, refusal: made.refusal)
        }
        return ConsoleRegistrationTokenPages.made(
            text, console, part: "devices",
            back: console.path("devices", console[parameter: "device"]))
    }

    /// One page for each person who may be taken off the machine.
    private func removals(
        _ console: ConsoleContext, _ found: DeviceAdministration.Overview
    ) -> [ConsoleLink] {
        guard console.may(.endDevices), found.device.revokedAt == nil else { return [] }
        return found.users.map { user in
            ConsoleLink(
                text: console.text(
                    "consoleDeviceUserRemove", ["name": found.usernames[user.person] ?? ""]),
                href: console.path(
                    "devices", found.device.id.description, "users", user.person.description,
                    "remove"),
                isDanger: true, action: "remove-user")
        }
    }

    private func users(
        _ console: ConsoleContext, _ found: DeviceAdministration.Overview
    ) -> ConsoleSection {
        let maySeePeople = console.may(.seePeople)
        let rows = found.users.map { user in
            [
                ConsoleCell(
                    found.usernames[user.person] ?? "", hint: user.loginName,
                    href: maySeePeople ? console.path("people", user.person.description) : nil),
                ConsoleCell(ConsoleField.words(console, user.method.rawValue)),
                ConsoleCell(console.when(user.registeredAt)),
                ConsoleCell(console.when(user.lastSignInAt)),
            ]
        }
        return ConsoleSection(
            title: console.text("consolePart.people"),
            table: ConsoleTable(
                columns: ["consoleUserName", "consoleMethod", "consoleMade", "consoleSignedIn"]
                    .map { console.text($0) },
                rows: rows, empty: console.text("consoleDeviceUsersNone")),
            links: removals(console, found))
    }

    private func keys(_ console: ConsoleContext, _ keys: [DeviceKey]) -> ConsoleSection {
        let rows = keys.map { key in
            [
                ConsoleCell(Base64URL.encode(key.kid), isCode: true),
                ConsoleCell(console.text("consoleKeyUse.\(key.use.rawValue)")),
                ConsoleCell(console.when(key.createdAt)),
            ]
        }
        return ConsoleSection(
            title: console.text("consoleDeviceKeys"),
            table: ConsoleTable(
                columns: ["consoleKeyID", "consoleUse", "consoleMade"].map { console.text($0) },
                rows: rows, empty: console.text("consoleKeysNone")))
    }
}
