// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// A machine as lists show it.
struct ConsoleDeviceRow {
    private let console: ConsoleContext

    init(_ console: ConsoleContext) { self.console = console }

    var columns: [String] {
        ["consoleName", "consoleModel", "consoleState", "consoleCompliance", "consoleSeen"]
            .map { console.text($0) }
    }

    func cells(_ device: Device) -> [ConsoleCell] {
        [
            ConsoleCell(
                Self.name(device), hint: device.facts.serial,
                href: console.path("devices", device.id.description)),
            ConsoleCell(device.facts.model, hint: device.facts.systemVersion),
            state(device), compliance(device),
            ConsoleCell(console.when(device.lastSeenAt)),
        ]
    }

    /// What people call a machine.
    static func name(_ device: Device) -> String {
        let names = [device.facts.hostName, device.facts.serial, device.facts.model]
        return names.first { !$0.isEmpty } ?? device.id.description
    }

    func state(_ device: Device) -> ConsoleCell {
        console.state(device.revokedAt == nil, else: "consoleRevoked")
    }

    /// What device management said of it, as long as that counts.
    func compliance(_ device: Device) -> ConsoleCell {
        guard device.compliance != nil else { return ConsoleCell("–") }
        guard let state = device.compliance(at: console.now) else {
            return ConsoleCell(console.text("consoleComplianceOver"), tone: .plain)
        }
        let isCompliant = state == .compliant
        return ConsoleCell(
            console.text(isCompliant ? "consoleCompliant" : "consoleNoncompliant"),
            hint: device.complianceUntil.map { console.until($0) } ?? "",
            tone: isCompliant ? .good : .bad)
    }
}
