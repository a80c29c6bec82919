// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation
import Support
import Testing

@Suite struct DeviceDiscoveryTests {
    private let folder = TestFolder()
    /// Usage page F1D0, usage 1, a collection: as libfido2's own devices have it.
    private static let fido = hex("06d0f1 0901 a101 0920 1500 26ff00 7508 9540 8102 c0")
    private static let mouse = hex("0501 0902 a101 06d0 c0")

    private func add(_ name: String, _ descriptor: [UInt8], product: String) throws {
        let device = folder.path("sys/class/hidraw/\(name)/device")
        try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
        try Data(descriptor).write(to: URL(fileURLWithPath: device + "/report_descriptor"))
        try Data("DRIVER=x\nHID_NAME=\(product)\nHID_ID=1\n".utf8)
            .write(to: URL(fileURLWithPath: device + "/uevent"))
    }

    private func devices() -> HIDRawDevices {
        HIDRawDevices(
            system: folder.path("sys"), devices: folder.path("dev"), random: SeededRandom())
    }

    @Test("security keys are found by their usage page, others are passed over")
    func list() throws {
        try add("hidraw0", Self.mouse, product: "Mouse")
        try add("hidraw1", Self.fido, product: "Yubico\u{1B} Key")
        try add("hidraw2", [], product: "Nothing")
        let found = devices().list().map(\.description)
        #expect(found.map(\.id) == [folder.path("dev") + "/hidraw1"])
        #expect(found.map(\.name) == ["Yubico Key"])
        #expect(found.map(\.kind) == [.usb])
    }

    @Test("without any device there are none")
    func empty() { #expect(devices().list().isEmpty) }

    @Test("an inserted and a removed key are reported without polling")
    func hotPlug() async throws {
        let dev = folder.path("dev")
        try FileManager.default.createDirectory(atPath: dev, withIntermediateDirectories: true)
        var snapshots = devices().snapshots().makeAsyncIterator()
        #expect(await snapshots.next()?.isEmpty == true)
        try add("hidraw7", Self.fido, product: "Key")
        #expect(FileManager.default.createFile(atPath: dev + "/other", contents: nil))
        #expect(FileManager.default.createFile(atPath: dev + "/hidraw7", contents: nil))
        #expect(await snapshots.next()?.map(\.description.name) == ["Key"])
        try FileManager.default.removeItem(atPath: folder.path("sys/class/hidraw/hidraw7"))
        try FileManager.default.removeItem(atPath: dev + "/hidraw7")
        // The file was created, received its permissions, and was removed. The last snapshot is
        // empty.
        while let devices = await snapshots.next(), !devices.isEmpty {}
    }

    @Test(
        "a report descriptor is read item by item, and never beyond its end",
        arguments: [
            ("06d0f1", true), ("0501 06d0f1 c0", true), ("07d0f10000", true), ("05d0", false),
            ("", false), ("06d0", false), ("06", false), ("fe", false), ("fe03", false),
            ("fe0200 06d0 f1", false), ("fe0200aabb 06d0f1", true), ("27 06d0f106", false),
            ("07d0f10100", false), ("fe0500 06d0f1", false),
        ])
    func reportDescriptors(descriptor: String, isFIDO: Bool) {
        #expect(HIDReportDescriptor.isFIDO(hex(descriptor)) == isFIDO)
    }

    @Test("Attack 40: a device that another program holds is busy")
    func lock() async throws {
        var (controller, other): (Int32, Int32) = (-1, -1)
        #expect(openpty(&controller, &other, nil, nil, nil) == 0)
        defer {
            close(controller)
            close(other)
        }
        var name = [CChar](repeating: 0, count: 128)
        #expect(ttyname_r(other, &name, name.count) == 0)
        let letters = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let path = String(decoding: letters, as: UTF8.self)
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
        let device = HIDDevice(path: path, kind: .stream, random: SeededRandom())
        await #expect(throws: TransportError.busy) { try await device.open() }
    }

    @Test("Attack 40: what is open here is busy for every other program, until it is closed")
    func locked() async throws {
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AutomaticGesture(), clock: ManualClock(),
            random: SeededRandom())
        let served = try EmulatedSecurityKey(key, random: SeededRandom()).serve(on: .pty)
        let path = try #require(served.path)
        let device = HIDDevice(path: path, kind: .stream, random: SeededRandom())
        // util-linux's flock(1): 0 if it has the lock, 1 if another process has it.
        func anotherProgramGets() async throws -> Bool {
            try await PeerProgram.run(["/usr/bin/flock", "-n", path, "true"]).status == 0
        }
        let open = try await device.open()
        await #expect(throws: TransportError.busy) { try await device.open() }
        #if os(Linux)
            #expect(try await !anotherProgramGets())
        #endif
        await open.closed()
        #if os(Linux)
            #expect(try await anotherProgramGets())
        #endif
        let again = try await device.open()
        await again.closed()
        served.stop()
        await served.waitForEnd()
    }

    @Test("a path where nothing is, or nothing listens, says so")
    func missing() async throws {
        let device = HIDDevice(
            path: folder.path("nothing"), kind: .stream, random: SeededRandom())
        await #expect(throws: TransportError.removed) { try await device.open() }
        let long = HIDDevice(
            path: "/" + String(repeating: "x", count: 5000), kind: .stream, random: SeededRandom())
        await #expect(throws: TransportError.system(Int64(ENAMETOOLONG))) {
            try await long.open()
        }
    }

    @Test("a software key on a pseudo-terminal is opened by its path")
    func terminal() async throws {
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), gesture: AutomaticGesture(), clock: ManualClock(),
            random: SeededRandom())
        let served = try EmulatedSecurityKey(key, random: SeededRandom()).serve(on: .pty)
        let path = try #require(served.path)
        let device = HIDDevice(path: path, kind: .stream, random: SeededRandom())
        let opened = try await SecurityKey.open(device)
        #expect(opened.info?.isCTAP21 == true)
        opened.close()
        served.stop()
    }

    @Test("several sources are one, once each has spoken")
    func combined() async {
        let transport = TestTransport { _ in .failure(.closed) }
        let sources = CombinedAuthenticators([
            FixedAuthenticators([TestDevice("a", transport)]),
            FixedAuthenticators([TestDevice("b", transport)]), FixedAuthenticators([]),
        ])
        var snapshots = sources.snapshots().makeAsyncIterator()
        #expect(await snapshots.next()?.map(\.description.id) == ["a", "b"])
    }
}
