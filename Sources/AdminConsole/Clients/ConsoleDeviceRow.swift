// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A machine as lists show it.
struct ConsoleDeviceRow {
    private let console: ConsoleContext

    init(_ console: ConsoleContext) { self.console = console }

    var columns: [String] {
        ["consoleName", "consoleModel", "consoleState", "consoleCompliance", "consoleSeen"]
            .map { console.text($0) }
    }

    func cells(_ device: JSONValue) -> [ConsoleCell] {
        [
            ConsoleCell(
                Self.name(device), hint: device["serial_number"]?.string ?? "",
                href: console.path("devices", device["id"]?.string ?? "")),
            ConsoleCell(
                device["model"]?.string ?? "", hint: device["system_version"]?.string ?? ""),
            state(device), compliance(device),
            ConsoleCell(console.when(device["last_seen_at"])),
        ]
    }

    /// What people call a machine.
    static func name(_ device: JSONValue) -> String {
        let names = ["host_name", "serial_number", "model", "id"].compactMap { device[$0]?.string }
        return names.first { !$0.isEmpty } ?? ""
    }

    func state(_ device: JSONValue) -> ConsoleCell {
        let isActive = device["state"] == "active"
        return ConsoleCell(
            console.text(isActive ? "consoleActive" : "consoleRevoked"),
            tone: isActive ? .good : .bad)
    }

    /// What device management said of it, as long as that counts.
    func compliance(_ device: JSONValue) -> ConsoleCell {
        guard let word = device["compliance"]?.string else { return ConsoleCell("–") }
        guard device["compliance_counts"] == true else {
            return ConsoleCell(console.text("consoleComplianceOver"), tone: .plain)
        }
        return ConsoleCell(
            console.text(
                word == "compliant" ? "consoleCompliant" : "consoleNoncompliant"),
            hint: console.until(device["compliance_until"]),
            tone: word == "compliant" ? .good : .bad)
    }
}
