// SPDX-License-Identifier: Apache-2.0
import Crypto
import Platform
import Primitives

extension LocalDeviceAttributes {
    /// What this machine says of itself. The machine id never leaves it: what is sent is a hash of it
    /// for this purpose, as `machine-id(5)` asks.
    ///
    /// - Parameter root: Where `/sys` and `/etc` are, in tests.
    package static func ofThisMachine(root: String = "") -> LocalDeviceAttributes {
        let firmware = root + "/sys/class/dmi/id/"
        let system = (line(root + "/etc/os-release", key: "PRETTY_NAME") ?? "Linux")
            .split(separator: "\"").joined()
        return LocalDeviceAttributes(
            serialNumber: line(firmware + "product_serial").flatMap(FirmwareText.meant),
            udid: line(root + "/etc/machine-id").flatMap(identifier),
            model: line(firmware + "product_name").flatMap(FirmwareText.meant),
            hostName: Machine.hostName, systemVersion: system)
    }

    /// Whether systemd started this machine for the first time ("ConditionFirstBoot" of systemd.unit(5)).
    ///
    /// - Parameter root: Where `/run` is, in tests.
    package static func isInSetup(root: String = "") -> Bool {
        FileSystem.exists(root + "/run/systemd/first-boot")
    }

    private static func identifier(_ machine: String) -> String? {
        guard machine.utf8.count == 32 else { return nil }
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("gatehouse platform-sso".utf8),
            using: SymmetricKey(data: Array(machine.utf8)))
        return Base64URL.encode(Array(code).prefix(16))
    }

    /// Returns the first line of a file, or the value of `key=` in it.
    private static func line(_ path: String, key: String? = nil) -> String? {
        guard let bytes = try? FileSystem.read(path, limit: 65_536) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        guard let key else { return lines.first.map(String.init) }
        return lines.first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
    }
}
