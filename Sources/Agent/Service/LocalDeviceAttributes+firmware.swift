// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension LocalDeviceAttributes {
    /// What this machine says of itself. The machine id never leaves it: what is sent is a hash of it
    /// for this purpose, as `machine-id(5)` asks.
    ///
    /// - Parameter root: Where `/sys` and `/etc` are, in tests.
    package static func ofThisMachine(root: String = "") -> LocalDeviceAttributes {
        let firmware = root + "/sys/class/dmi/id/"
        var name = [CChar](repeating: 0, count: 256)
        let hasName = gethostname(&name, name.count - 1) == 0
        let system = (line(root + "/etc/os-release", key: "PRETTY_NAME") ?? "Linux")
            .split(separator: "\"").joined()
        return LocalDeviceAttributes(
            serialNumber: line(firmware + "product_serial").flatMap(FirmwareText.meant),
            udid: line(root + "/etc/machine-id").flatMap(identifier),
            model: line(firmware + "product_name").flatMap(FirmwareText.meant),
            hostName: hasName ? text(name) : nil, systemVersion: system)
    }

    /// Whether systemd started this machine for the first time ("ConditionFirstBoot" of systemd.unit(5)).
    ///
    /// - Parameter root: Where `/run` is, in tests.
    package static func isInSetup(root: String = "") -> Bool {
        access(root + "/run/systemd/first-boot", F_OK) == 0
    }

    private static func text(_ letters: [CChar]) -> String {
        String(decoding: letters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 512)
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            let line = text(buffer).split(separator: "\n").first.map(String.init) ?? ""
            guard let key else { return line }
            if line.hasPrefix(key + "=") { return String(line.dropFirst(key.count + 1)) }
        }
        return nil
    }
}
