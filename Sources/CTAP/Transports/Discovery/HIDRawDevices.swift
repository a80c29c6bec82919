// SPDX-License-Identifier: Apache-2.0
import Platform
package import Primitives

/// Security keys on USB (and Bluetooth HID) as Linux shows them, and their coming and going.
package struct HIDRawDevices: AuthenticatorSource {
    private let system: String
    private let devices: String
    private let random: any RandomSource

    /// - Parameters:
    ///   - system: Where `class/hidraw` is; `/sys` but for tests.
    ///   - devices: Where the device files are; `/dev` but for tests.
    package init(
        system: String = "/sys", devices: String = "/dev", random: any RandomSource
    ) {
        self.system = system
        self.devices = devices
        self.random = random
    }

    /// Those that are there now.
    package func list() -> [HIDDevice] {
        SystemFiles.names(in: "\(system)/class/hidraw").compactMap { name in
            let folder = "\(system)/class/hidraw/\(name)/device"
            guard let descriptor = SystemFiles.read("\(folder)/report_descriptor"),
                HIDReportDescriptor.isFIDO(descriptor)
            else { return nil }
            return HIDDevice(
                path: "\(devices)/\(name)", kind: .usb, name: Self.productName(folder),
                random: random)
        }
    }

    /// `HID_NAME` of the device's `uevent`.
    private static func productName(_ folder: String) -> String {
        let text = String(decoding: SystemFiles.read("\(folder)/uevent") ?? [], as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("HID_NAME=") }
        return line.map { String($0.dropFirst("HID_NAME=".count)) } ?? ""
    }

    package func snapshots() -> AsyncStream<[any AuthenticatorDevice]> {
        AsyncStream { continuation in
            let watch = FolderWatch(devices) { names in
                guard names.contains(where: { $0.hasPrefix("hidraw") }) else { return }
                continuation.yield(list())
            }
            // The watch starts first, so that no device is missed.
            continuation.yield(list())
            continuation.onTermination = { _ in watch?.stop() }
        }
    }
}
