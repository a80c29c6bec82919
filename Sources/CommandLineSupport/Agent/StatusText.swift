// SPDX-License-Identifier: Apache-2.0
package import AgentClient
package import JOSE
import Platform
package import Primitives
package import TerminalDialog

/// The status as panels: one for the machine, one for each person.
package struct StatusText {
    let status: AgentStatus
    let style: TerminalStyle
    /// Columns of the panels, at most ``greatestWidth``.
    let width: Int

    package static let greatestWidth = 72
    private static let leastWidth = 24

    package init(status: AgentStatus, style: TerminalStyle, width: Int = Self.greatestWidth) {
        (self.status, self.style, self.width) = (status, style, width)
    }

    /// Prints what the agent answered: for a person, or as it is.
    package static func print(_ value: JSONValue, json: Bool) throws {
        if json { return Swift.print(value.text) }
        guard let status = AgentStatus(value) else {
            throw CommandError(
                "the response of the agent is not valid; it may have another version")
        }
        var environment = ProcessEnvironment.all
        if !StandardOutput.isTerminal { environment["NO_COLOR"] = "1" }
        let text = StatusText(
            status: status, style: TerminalStyle(environment: environment),
            width: StandardOutput.columns)
        Swift.print(text.lines.joined(separator: "\n"))
    }

    package var lines: [String] {
        guard let name = status.extensionIdentifier else { return unconfigured }
        let devices = status.devices.flatMap { device in
            panel("This device", head(device), rows(device) + [("Extension", name)])
        }
        return devices + status.people.flatMap { panel($0.account, head($0), rows($0)) } + problems
    }

    private var unconfigured: [String] {
        panel(
            "This device", (.quiet, "No profile configures Platform SSO."),
            [("Profiles", status.profiles ?? "/etc/gatehouse/profiles")]) + problems
    }

    private var problems: [String] {
        status.problems.isEmpty
            ? []
            : panel(
                "Profiles that do not count", nil,
                status.problems.map { ("", TerminalText.safe($0)) })
    }

    // MARK: The machine

    private typealias Head = (role: TerminalStyle.Role, text: String)

    private func head(_ device: AgentStatus.Device) -> Head {
        switch device.phase {
        case "registered": (.good, "Registered at \(device.issuer ?? "the provider")")
        case "registering": (.mark, "Registering now")
        case "retrying": (.bad, "Registration failed; \(again(device.until))")
        case "refused": (.bad, "Refused; tried again when the profile changes")
        default: (.mark, "Not registered yet: gatehouse-agent register user")
        }
    }

    private func rows(_ device: AgentStatus.Device) -> [(String, String)] {
        var rows: [(String, String)] = []
        if let key = device.keyID {
            rows.append(("Key", "\(store), \(key.prefix(12))\(style.ellipsis)"))
        }
        if let reason = device.reason { rows.append(("Why", reason)) }
        if let time = device.registeredAt { rows.append(("Since", ago(time))) }
        if let time = device.rotatesAt { rows.append(("New keys", ahead(time))) }
        if let key = status.attestationKey { rows.append(("TPM", key)) }
        if case .person(let name) = device.owner { rows.append(("For", name)) }
        return rows
    }

    private var store: String {
        switch status.keyStore {
        case "tpm": "in the TPM of this device"
        case "pkcs11": "on the token of this device"
        default: "in a sealed file"
        }
    }

    // MARK: People

    private func head(_ person: AgentStatus.Person) -> Head {
        let name = person.loginUserName.map { " as \($0)" } ?? ""
        switch (person.phase, person.standing) {
        case ("waiting-for-device", _): return (.mark, "Waits for the device to be registered")
        case ("waiting", _) where person.needsRepair:
            return (.bad, "To be registered again: gatehouse-agent register user")
        case ("waiting", _): return (.mark, "Not registered yet: gatehouse-agent register user")
        case ("registering", _): return (.mark, "Registering now")
        case ("retrying", _): return (.bad, "Registration failed; \(again(person.until))")
        case ("refused", _): return (.bad, "Refused; tried again when the profile changes")
        case ("signing-in", _):
            return (.mark, "Not signed in yet\(name): gatehouse-agent register user")
        case (_, "signed_in"): return (.good, "Signed in\(name)")
        case (_, "grace"):
            return (.mark, "Offline\(name); good \(ahead(person.standingUntil))")
        default: return (.bad, "Signed out\(name): gatehouse-agent sign-in")
        }
    }

    private func rows(_ person: AgentStatus.Person) -> [(String, String)] {
        var rows: [(String, String)] = person.reason.map { [("Why", $0)] } ?? []
        if let name = person.name { rows.append(("Name", name)) }
        if let time = person.strangerAt {
            rows.append(("Refused", "the response named another person, \(ago(time))"))
        }
        if status.method == "UserSecureEnclaveKey" {
            rows.append(
                (
                    "Key",
                    person.keyID.map { "\(store), \($0.prefix(12))\(style.ellipsis)" } ?? "none yet"
                ))
            if let tries = person.pinTries {
                rows.append(("PIN", "\(tries) \(tries == 1 ? "try" : "tries") left"))
            }
            if person.needsSecurityKey { rows.append(("Touch", "of your security key")) }
        }
        if let time = person.fullLoginAt { rows.append(("Signed in", ago(time))) }
        if person.phase == "registered" || person.phase.hasPrefix("binding") {
            switch person.next {
            case "renew": rows.append(("Next", "renews by itself \(ahead(person.nextAt))"))
            case "sign_in": rows.append(("Next", "prompts you to sign in \(ahead(person.nextAt))"))
            default: break
            }
            rows.append(("Unlock key", person.hasUnlockKey ? "from the provider" : "none"))
        }
        if !person.groups.isEmpty {
            let names = person.groups.map { $0.name ?? $0.identifier }
            rows.append(("Groups", names.joined(separator: ", ")))
        }
        if let picture = person.picture {
            rows.append(("Picture", "\(picture.format), \(picture.length) bytes"))
        }
        if person.hasOwnProfile { rows.append(("Profile", "of this account's own")) }
        return rows
            + person.places.filter { $0.demand != .local || $0.refusal == .presenceNeeded }.map(row)
    }

    /// What lets the person in at one place.
    private func row(_ outlook: AdmissionOutlook) -> (String, String) {
        let name =
            switch outlook.place {
            case .disk: "Disk"
            case .login: "Login"
            case .unlock: "Lock screen"
            }
        if outlook.refusal == .presenceNeeded {
            let other = outlook.demand == .local ? "local password" : "password at the provider"
            return (name, "your finger, and your \(other)")
        }
        if outlook.offline == .authenticationGrace {
            return (name, "your local password, for \(rest(outlook.offlineUntil))")
        }
        if [.registrationNeeded, .authenticationGraceOver].contains(outlook.refusal) {
            return (name, "closed until you are registered")
        }
        return (name, "your password at the provider; \(offline(outlook))")
    }

    private func offline(_ outlook: AdmissionOutlook) -> String {
        switch (outlook.offline, outlook.refusal) {
        case (.offlineGrace?, _): "offline your local one, for \(rest(outlook.offlineUntil))"
        case (.some, _): "offline your local one"
        case (nil, .loginOwed?): "not offline, after a wrong one"
        case (nil, .offlineGraceOver?): "not offline any more"
        case (nil, .clockSetBack?): "not offline, for the clock was set back"
        case (nil, _): "not offline"
        }
    }

    private func rest(_ time: Timestamp?) -> String {
        time.map { Self.span($0 - status.now) } ?? "ever"
    }

    // MARK: Times

    private func again(_ time: Timestamp?) -> String { "tried again \(ahead(time))" }

    private func ahead(_ time: Timestamp?) -> String {
        guard let time, time > status.now else { return "now" }
        return "in \(Self.span(time - status.now))"
    }

    private func ago(_ time: Timestamp) -> String {
        time + .minutes(1) > status.now ? "a moment ago" : "\(Self.span(status.now - time)) ago"
    }

    /// The two greatest units.
    package static func span(_ span: TimeSpan) -> String {
        let minutes = max(span.seconds, 0) / 60
        func words(_ count: Int64, _ unit: String) -> String? {
            count == 0 ? nil : "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        let (days, hours) = (minutes / 1440, minutes / 60 % 24)
        let parts =
            days > 0
            ? [words(days, "day"), words(hours, "hour")]
            : [words(hours, "hour"), words(minutes % 60, "minute")]
        let text = parts.compactMap { $0 }.joined(separator: " ")
        return text.isEmpty ? "less than a minute" : text
    }

    // MARK: Drawing

    private func panel(_ title: String, _ head: Head?, _ rows: [(String, String)]) -> [String] {
        let width = min(max(width, Self.leastWidth), Self.greatestWidth)
        let title = TerminalText.wrap(TerminalText.safe(title), width: width - 4)[0]
        let rule = max(0, width - 4 - TerminalText.width(of: title))
        let side = style.paint(style.bar, .quiet)
        var lines = [
            style.paint("\(style.corner.top)\(style.rule) ", .quiet) + style.paint(title, .title)
                + style.paint(" " + String(repeating: style.rule, count: rule), .quiet)
        ]
        if let head {
            let text = TerminalText.wrap(TerminalText.safe(head.text), width: width - 5)
            for (index, line) in text.enumerated() {
                let mark = index == 0 ? style.paint(style.mark(head.role), head.role) : " "
                lines.append("\(side)  \(mark) \(line)")
            }
        }
        let column = rows.map(\.0.count).max() ?? 0
        for (name, text) in rows {
            let wrapped = TerminalText.wrap(TerminalText.safe(text), width: width - column - 7)
            for (index, line) in wrapped.enumerated() {
                let label = index == 0 ? name : ""
                let space = String(
                    repeating: " ", count: column - label.count + (column > 0 ? 2 : 0))
                lines.append("\(side)    \(style.paint(label, .quiet))\(space)\(line)")
            }
        }
        let foot = style.corner.bottom + String(repeating: style.rule, count: width - 1)
        return lines + [style.paint(foot, .quiet)]
    }
}
