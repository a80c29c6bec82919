// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import JOSE
import Storage

/// Machines that sign people in: all of a project, one, and its end.
struct ConsoleDevicePages: Sendable {
    private let frame: ConsoleFrame

    init(_ frame: ConsoleFrame) { self.frame = frame }

    private static let path = ConsoleFrame.project + "/devices"

    var routes: [Route] {
        let revocation = ConsoleRemoval(
            pattern: Self.path + "/{device}/revoke", action: .endDevices, part: "devices",
            name: "device",
            find: { console in
                let answer = try await console.ask("showDevice", Self.names(console))
                guard let device = answer.json else {
                    return .failure(ConsoleRefusal(answer: answer))
                }
                return .success(
                    ConsoleRemoval.Target(
                        word: Self.name(device),
                        page: console.path("devices", console[parameter: "device"]),
                        list: console.path("devices")))
            }, act: { try await $0.ask("revokeDevice", Self.names($0)) })
        return [
            frame.page(Self.path, .seeDevices) { try await list($0) },
            frame.page(Self.path + "/{device}", .seeDevices) { try await show($0) },
        ] + revocation.routes(frame)
    }

    private static func names(_ console: ConsoleVisit) -> [String: String] {
        ["device": console[parameter: "device"]]
    }

    /// What people call a machine.
    private static func name(_ device: JSONValue) -> String {
        let names = ["host_name", "serial_number", "model", "id"].compactMap { device[$0]?.string }
        return names.first { !$0.isEmpty } ?? ""
    }

    private static func state(_ console: ConsoleVisit, _ device: JSONValue) -> ConsoleCell {
        let isActive = device["state"] == "active"
        return ConsoleCell(
            console.text(isActive ? "consoleActive" : "consoleRevoked"),
            tone: isActive ? .good : .bad)
    }

    private func list(_ console: ConsoleVisit) async throws -> ServerResponse {
        let list = ConsoleList(
            operation: "listDevices", address: console.path("devices"),
            columns: ["consoleName", "consoleModel", "consoleState", "consoleSeen"]
                .map { console.text($0) },
            empty: console.text("consoleDevicesNone"))
        let outcome = try await list.read(console) { device in
            [
                ConsoleCell(
                    Self.name(device), hint: device["serial_number"]?.string ?? "",
                    href: console.path("devices", device["id"]?.string ?? "")),
                ConsoleCell(
                    device["model"]?.string ?? "", hint: device["system_version"]?.string ?? ""),
                Self.state(console, device),
                ConsoleCell(console.when(device["last_seen_at"])),
            ]
        }
        switch outcome {
        case .refused(let answer): return console.complain(answer, part: "devices")
        case .table(let table):
            return console.render(
                console.text("consolePart.devices"), lead: console.text("consoleDevicesLead"),
                part: "devices", sections: [ConsoleSection(table: table)])
        }
    }

    private func show(_ console: ConsoleVisit) async throws -> ServerResponse {
        let answer = try await console.ask("showDevice", Self.names(console))
        guard let device = answer.json else { return console.complain(answer, part: "devices") }
        var sections = [facts(console, device), users(console, device), keys(console, device)]
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
            Self.name(device), part: "devices", sections: sections,
            up: ConsoleLink(
                text: console.text("consolePart.devices"), href: console.path("devices")))
    }

    private func facts(_ console: ConsoleVisit, _ device: JSONValue) -> ConsoleSection {
        var facts = [ConsoleFact(console.text("consoleState"), Self.state(console, device))]
        for (key, member) in [
            ("consoleModel", "model"), ("consoleSerial", "serial_number"), ("UDID", "udid"),
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
        return ConsoleSection(facts: facts)
    }

    private func users(_ console: ConsoleVisit, _ device: JSONValue) -> ConsoleSection {
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
                rows: rows, empty: console.text("consoleDeviceUsersNone")))
    }

    private func keys(_ console: ConsoleVisit, _ device: JSONValue) -> ConsoleSection {
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
