// SPDX-License-Identifier: Apache-2.0
import AdminEndpoints
import HTTPServer
import JOSE
import ProviderAdministration
import Storage
import WebPages

/// Machines that sign people in: all of a project, one, and its end.
struct ConsoleDevicePages: Sendable {
    private let frame: ConsoleRouteGuard

    init(_ frame: ConsoleRouteGuard) { self.frame = frame }

    private static let path = ConsoleRouteGuard.project + "/devices"

    var routes: [HTTPRoute] {
        let revocation = ConsoleRemoval(
            pattern: Self.path + "/{device}/revoke", action: .endDevices, part: "devices",
            name: "device", operation: .revokeDevice,
            find: { console in
                let answer = try await console.ask(.showDevice, Self.names(console))
                guard let device = answer.json else {
                    return .failure(ConsoleRefusal(answer: answer))
                }
                return .success(
                    ConsoleRemoval.Target(
                        word: ConsoleDeviceRow.name(device),
                        page: console.path("devices", console[parameter: "device"]),
                        list: console.path("devices")))
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
                let answer = try await console.ask(.showDevice, Self.names(console))
                let users = answer.json?["users"]?.array ?? []
                let user = users.first { $0["sub"]?.string == console[parameter: "person"] }
                guard let name = user?["username"]?.string else {
                    let isKnown = answer.json != nil
                    return .failure(
                        ConsoleRefusal(answer: isKnown ? .unknown("person") : answer))
                }
                let page = console.path("devices", console[parameter: "device"])
                return .success(ConsoleRemoval.Target(word: name, page: page, list: page))
            })
    }

    private static func names(
        _ console: ConsoleContext
    ) -> AdministrativeOperation.Parameters {
        [.device: console[parameter: "device"]]
    }

    private func list(_ console: ConsoleContext) async throws -> ServerResponse {
        let row = ConsoleDeviceRow(console)
        let list = ConsoleList(
            operation: .listDevices, address: console.path("devices"), columns: row.columns,
            empty: console.text("consoleDevicesNone")
        ).searched(console)
        let outcome = try await list.read(console, row: row.cells)
        switch outcome {
        case .refused(let answer): return console.complain(answer, part: "devices")
        case .table(let table):
            return console.render(
                console.text("consolePart.devices"), lead: console.text("consoleDevicesLead"),
                part: "devices",
                sections: [
                    ConsoleSection(
                        filters: [list.filter(console, "consoleSearchDevices")], table: table)
                ])
        }
    }

    private func show(
        _ console: ConsoleContext, refusal: AdminResponse? = nil
    ) async throws -> ServerResponse {
        let answer = try await console.ask(.showDevice, Self.names(console))
        guard let device = answer.json else { return console.complain(answer, part: "devices") }
        var sections = [facts(console, device)]
        if let attestation = attestation(console, device) { sections.append(attestation) }
        sections += [users(console, device), keys(console, device)]
        if let registration = registration(console, device) { sections.append(registration) }
        if console.may(.seeAudit) { sections.append(events(console, device)) }
        if console.may(.endDevices), device["state"] == "active" {
            sections.append(
                ConsoleSection(
                    title: console.text("consoleActions"),
                    hint: console.text("consoleDeviceRevokeHint"),
                    links: [
                        ConsoleLink(
                            text: console.text("consoleDeviceRevoke"),
                            href: console.path("devices", device["id"]?.string ?? "", "revoke"),
                            isDanger: true, action: "revoke")
                    ]))
        }
        return console.render(
            ConsoleDeviceRow.name(device), part: "devices", sections: sections,
            up: ConsoleLink(
                text: console.text("consolePart.devices"), href: console.path("devices")),
            refusal: refusal)
    }

    /// Where to read what happened there.
    private func events(_ console: ConsoleContext, _ device: JSONValue) -> ConsoleSection {
        let id = FormText.encode(device["id"]?.string ?? "")
        return ConsoleSection(
            title: console.text("events"),
            links: [
                ConsoleLink(
                    text: console.text("consoleDeviceEvents"),
                    href: console.path("audit") + "?device=\(id)")
            ])
    }

    private func facts(_ console: ConsoleContext, _ device: JSONValue) -> ConsoleSection {
        let row = ConsoleDeviceRow(console)
        var facts = [
            ConsoleFact(console.text("consoleState"), row.state(device)),
            ConsoleFact(console.text("consoleCompliance"), row.compliance(device)),
        ]
        for (key, member) in [
            ("consoleModel", "model"), ("consoleSerial", "serial_number"), ("consoleUDID", "udid"),
            ("consoleSystem", "system_version"),
        ] {
            guard let value = device[member]?.string, !value.isEmpty else { continue }
            facts.append(ConsoleFact(console.text(key), ConsoleCell(value)))
        }
        facts.append(
            ConsoleFact(
                console.text("consoleMade"), ConsoleCell(console.when(device["registered_at"]))))
        facts.append(
            ConsoleFact(
                console.text("consoleSeen"), ConsoleCell(console.when(device["last_seen_at"]))))
        var section = ConsoleSection(facts: facts)
        if console.may(.endDevices), device["state"] == "active" {
            section.forms = [compliance(console, device)]
        }
        return section
    }

    // MARK: What device management would say

    private func compliance(_ console: ConsoleContext, _ device: JSONValue) -> ConsoleForm {
        let field = ConsoleField(
            "state", "consoleCompliance", .choice(["compliant", "noncompliant", "unknown"]))
        return ConsoleForm(
            "compliance", to: console.path("devices", device["id"]?.string ?? "", "compliance"),
            button: console.text("save"), weight: .quiet,
            inputs: [
                field.input(
                    console, ["state": device["compliance"] ?? "unknown"], typed: nil),
                ConsoleInput(
                    "hours", console.text("consoleHours"), value: "24",
                    hint: console.text("consoleComplianceHint"), limit: 4),
            ])
    }

    private func comply(
        _ console: ConsoleContext, _ form: FormParameters
    ) async throws -> ServerResponse {
        guard let hours = Int64(form["hours"] ?? ""), (1...8760).contains(hours) else {
            return try await show(console, refusal: .conflict("invalid_number"))
        }
        let answer = try await console.ask(
            .putDeviceCompliance, Self.names(console),
            body: ["state": .string(form["state"] ?? ""), "lifetime": .integer(hours * 3600)])
        guard answer.json != nil else { return try await show(console, refusal: answer) }
        return console.redirect(
            console.path("devices", console[parameter: "device"]), done: "saved")
    }

    /// Returns the section with the attested values of the device, or `nil` if there are none.
    private func attestation(
        _ console: ConsoleContext, _ device: JSONValue
    ) -> ConsoleSection? {
        let members = device["attestation"]?.object?.members ?? []
        guard !members.isEmpty else { return nil }
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
        _ console: ConsoleContext, _ device: JSONValue
    ) -> ConsoleSection? {
        guard console.may(.changeRegistrationTokens),
            device["serial_number"]?.string?.isEmpty == false
        else { return nil }
        return ConsoleSection(
            title: console.text("consoleDeviceAgain"),
            hint: console.text("consoleDeviceAgainHint"),
            forms: [
                ConsoleForm(
                    "register-again",
                    to: console.path(
                        "devices", device["id"]?.string ?? "", "register-again"),
                    button: console.text("consoleTokenCreate"), weight: .quiet)
            ])
    }

    private func registerAgain(_ console: ConsoleContext) async throws -> ServerResponse {
        let answer = try await console.ask(.showDevice, as: .seeDevices, Self.names(console))
        guard let device = answer.json else { return console.complain(answer, part: "devices") }
        let made = try await console.ask(
            .createRegistrationToken,
            body: [
                "label": .string(ConsoleDeviceRow.name(device)),
                "serial_number": device["serial_number"] ?? .null, "maximum_uses": 1,
                "lifetime": 86_400,
            ])
        guard let text = made.json?["token"]?.string else {
            return try await show(console, refusal: made)
        }
        return ConsoleRegistrationTokenPages.made(
            text, console, part: "devices",
            back: console.path("devices", console[parameter: "device"]))
    }

    /// One page for each person who may be taken off the machine.
    private func removals(_ console: ConsoleContext, _ device: JSONValue) -> [ConsoleLink] {
        guard console.may(.endDevices), device["state"] == "active" else { return [] }
        return (device["users"]?.array ?? []).compactMap { user in
            guard let sub = user["sub"]?.string, let name = user["username"]?.string else {
                return nil
            }
            return ConsoleLink(
                text: console.text("consoleDeviceUserRemove", ["name": name]),
                href: console.path(
                    "devices", device["id"]?.string ?? "", "users", sub, "remove"),
                isDanger: true, action: "remove-user")
        }
    }

    private func users(_ console: ConsoleContext, _ device: JSONValue) -> ConsoleSection {
        let maySeePeople = console.may(.seePeople)
        let rows = (device["users"]?.array ?? []).map { user in
            [
                ConsoleCell(
                    user["username"]?.string ?? "", hint: user["login_user_name"]?.string ?? "",
                    href: maySeePeople
                        ? console.path("people", user["sub"]?.string ?? "") : nil),
                ConsoleCell(user["method"]?.string ?? "", isCode: true),
                ConsoleCell(console.when(user["registered_at"])),
                ConsoleCell(console.when(user["last_sign_in_at"])),
            ]
        }
        return ConsoleSection(
            title: console.text("consolePart.people"),
            table: ConsoleTable(
                columns: ["consoleUserName", "consoleMethod", "consoleMade", "consoleSignedIn"]
                    .map { console.text($0) },
                rows: rows, empty: console.text("consoleDeviceUsersNone")),
            links: removals(console, device))
    }

    private func keys(_ console: ConsoleContext, _ device: JSONValue) -> ConsoleSection {
        let rows = (device["keys"]?.array ?? []).map { key in
            [
                ConsoleCell(key["kid"]?.string ?? "", isCode: true),
                ConsoleCell(key["use"]?.string ?? ""),
                ConsoleCell(console.when(key["created_at"])),
            ]
        }
        return ConsoleSection(
            title: console.text("consoleDeviceKeys"),
            table: ConsoleTable(
                columns: ["consoleKeyID", "consoleUse", "consoleMade"].map { console.text($0) },
                rows: rows, empty: console.text("consoleKeysNone")))
    }
}
