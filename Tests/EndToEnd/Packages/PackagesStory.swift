// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

/// The Debian packages, made of the programs of this build. It shares nothing with the other stories.
@Suite("End to end, packages", .timeLimit(.minutes(15)))
struct PackagesStory {
    /// The clean root is made of packages that mmdebstrap downloads, and tests use loopback only.
    private static var isWanted: Bool {
        ProcessInfo.processInfo.environment["GATEHOUSE_TEST_PACKAGES"] != nil
    }

    private static var isPossible: Bool {
        isWanted && SystemdHouse.isPossible
            && ["mmdebstrap", "systemd-nspawn", "dpkg-deb"].allSatisfy(Repository.has)
    }

    @Test(
        "In a clean Debian the packages install, upgrade, refuse, remove and purge as they should, with systemd",
        .enabled(if: isPossible, "needs GATEHOUSE_TEST_PACKAGES, mmdebstrap and control groups"))
    func packages() async throws {
        let programs = Repository.gatehouse.resolvingSymlinksInPath().deletingLastPathComponent()
        let log = try Repository.outputFile("packages.log")
        let test = try ChildProcess(
            Repository.root.appending(path: "Scripts/dist-test"), ["--programs", programs.path()],
            log: log)
        let status = try await test.ended(within: .seconds(840))
        let text = try String(contentsOf: log, encoding: .utf8)
        #expect(status == 0, "\(text.suffix(4000))")
        // A container without systemd would skip its steps; without buildah no image is built.
        let passed = Repository.has("buildah") ? 10 : 9
        #expect(text.contains("\(passed) passed, 0 failed"), "\(text.suffix(4000))")
    }
}
