// SPDX-License-Identifier: Apache-2.0
import CTAP
import CommandLineSupport
import JOSE

/// What `security-key info` tells.
struct SecurityKeyReport: Sendable {
    let key: AuthenticatorDescription
    /// `nil` for a key that knows only U2F.
    let info: AuthenticatorInfo?
    let triesLeft: Int?

    var json: JSONValue {
        var object = JSONObject()
        object["device"] = .string(key.id)
        object["transport"] = .string(key.kind.rawValue)
        object["name"] = .string(key.name)
        guard let info else {
            object["versions"] = ["U2F_V2"]
            return .object(object)
        }
        object["versions"] = .array(info.versions.map { .string($0) })
        object["extensions"] = .array((info.extensions ?? []).map { .string($0) })
        object["aaguid"] = .string("\(info.aaguid)")
        var options = JSONObject()
        for (name, value) in (info.options ?? [:]).sorted(by: { $0.key < $1.key }) {
            options[name] = .bool(value)
        }
        object["options"] = .object(options)
        object["transports"] = info.transports.map { .array($0.map { .string($0) }) }
        object["algorithms"] = info.algorithms.map { .array($0.map { .integer($0.algorithm) }) }
        for (name, value) in numbers(info) { object[name] = value.map { .integer(Int64($0)) } }
        object["forcePINChange"] = info.forcePINChange.map { .bool($0) }
        return .object(object)
    }

    private func numbers(_ info: AuthenticatorInfo) -> [(String, Int?)] {
        [
            ("maxMsgSize", info.messageLimit), ("minPINLength", info.minPINLength),
            ("pinTriesLeft", triesLeft),
            ("remainingDiscoverableCredentials", info.remainingDiscoverableCredentials),
            ("maxSerializedLargeBlobArray", info.maxSerializedLargeBlobArray),
            ("maxCredBlobLength", info.maxCredBlobLength),
            ("firmwareVersion", info.firmwareVersion.flatMap { Int(exactly: $0) }),
        ]
    }

    var text: String {
        var rows: [(String, String)] = [
            ("Name", key.name), ("Path", key.id), ("Reached by", key.kind.rawValue),
        ]
        if let info { rows += self.rows(info) } else { rows.append(("Speaks", "U2F_V2")) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in
            let gap = String(repeating: " ", count: width - name.count + 2)
            return name + gap + value.withoutControls
        }.joined(separator: "\n")
    }

    private func rows(_ info: AuthenticatorInfo) -> [(String, String)] {
        var rows = [
            ("Speaks", info.versions.joined(separator: ", ")), ("Model", "\(info.aaguid)"),
            ("PIN", pinText(info)),
            ("Fingerprint", Self.state(info.option("bioEnroll") ?? info.option("uv"))),
            ("Passkeys", info.has(option: "rk") ? passkeyText(info) : "cannot be stored"),
            ("Extensions", (info.extensions ?? []).joined(separator: ", ")),
        ]
        if let limit = info.maxSerializedLargeBlobArray {
            rows.append(("Space for data", "\(limit) bytes"))
        }
        if info.has(option: "alwaysUv") { rows.append(("Verification", "always asked for")) }
        return rows
    }

    private func pinText(_ info: AuthenticatorInfo) -> String {
        guard info.canHavePIN else { return "not supported" }
        guard info.hasPIN else {
            return "not set; at least \(info.minPINLength ?? 4) characters"
        }
        let tries = triesLeft.map { ", \($0) \($0 == 1 ? "try" : "tries") left" } ?? ""
        return "set" + tries + (info.forcePINChange == true ? ", must be changed" : "")
    }

    private func passkeyText(_ info: AuthenticatorInfo) -> String {
        info.remainingDiscoverableCredentials.map { "space for \($0) more" } ?? "can be stored"
    }

    private static func state(_ option: Bool?) -> String {
        switch option {
        case nil: "not supported"
        case false?: "none enrolled"
        case true?: "set up"
        }
    }
}
