// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

@testable import Platform

@Suite struct DurableFileTests {
    private let old = Array("the old key".utf8)
    private let new = Array("a newer one".utf8)
    /// More calls than any write makes.
    private let cuts = 0..<24

    /// Cuts the power after each number of calls. `work` says whether it came to its end.
    private func cut(
        _ durable: [String: [UInt8]], allowed: Set<[UInt8]?>, end: Set<[UInt8]?>,
        preparing: (ModelDisk) -> Void = { _ in }, _ work: (ModelDisk) throws -> Void
    ) {
        var ends = 0
        for calls in cuts {
            let disk = ModelDisk(durable, calls: calls)
            preparing(disk)
            let hasEnded = (try? work(disk)) != nil
            let found = disk.afterLoss("key")
            #expect(found.isSubset(of: hasEnded ? end : allowed), "after \(calls) calls")
            ends += hasEnded ? 1 : 0
        }
        #expect(ends > 0 && ends < cuts.count)
    }

    @Test(
        "Attack 66: power lost at any call of a replacement leaves the old file or the new one, whole"
    )
    func replace() {
        cut(["key": old], allowed: [old, new], end: [new]) {
            try DurableFile.replace("key", with: new, on: $0)
        }
        cut([:], allowed: [nil, new], end: [new]) {
            try DurableFile.replace("key", with: new, on: $0)
        }
    }

    @Test(
        "Attack 66: a created master key exists after a loss of power, whatever process created it")
    func create() {
        cut([:], allowed: [nil, new], end: [new]) {
            let isNew = try DurableFile.create("key", new, on: $0)
            #expect(isNew)
        }
        cut(["key": old], allowed: [old], end: [old]) {
            let isNew = try DurableFile.create("key", new, on: $0)
            #expect(!isNew)
        }
    }

    @Test("Attack 66: another's key that is not on the disk yet is there when we go on with it")
    func createdByAnother() throws {
        let disk = ModelDisk()
        let theirs = try disk.create("theirs", mode: 0o600)
        _ = try old.withUnsafeBytes { try disk.write($0, to: theirs) }
        try disk.synchronize(theirs)
        try disk.link("theirs", to: "key")
        #expect(disk.afterLoss("key").contains(nil))
        #expect(try !DurableFile.create("key", new, on: disk))
        #expect(disk.afterLoss("key") == [Array(old.prefix(3))])
    }

    @Test("Attack 66: a backup gets its name when its content is on the disk")
    func publish() {
        cut(
            ["key": old], allowed: [old, new], end: [new],
            preparing: { $0.appear("draft", new) },
            { try DurableFile.publish("draft", as: "key", on: $0) })
    }

    @Test(
        "Attack 66: a new backup replaces no file, and gets its name when its content is on the disk"
    )
    func publishNew() {
        cut([:], allowed: [nil, new], end: [new], preparing: { $0.appear("draft", new) }) {
            try DurableFile.publishNew("draft", as: "key", on: $0)
        }
        let disk = ModelDisk(["key": old])
        disk.appear("draft", new)
        #expect { try DurableFile.publishNew("draft", as: "key", on: disk) } throws: {
            ($0 as? PlatformError)?.code == .exists
        }
        #expect(disk.afterLoss("key") == [old])
    }

    @Test("Attack 66: power lost while a folder takes another's place leaves one of the two")
    func exchange() {
        cut(
            ["key": old], allowed: [old, new], end: [new],
            preparing: { $0.appear("draft", new) },
            { try DurableFile.exchange("draft", with: "key", on: $0) })
        cut(
            [:], allowed: [nil, new], end: [new],
            preparing: { $0.appear("draft", new) },
            { try DurableFile.exchange("draft", with: "key", on: $0) })
    }

    @Test("Where names cannot be exchanged, a folder takes another's place by renames")
    func exchangeByRenames() throws {
        for durable in [["key": old], [:]] {
            let disk = ModelDisk(durable, exchanges: false)
            disk.appear("draft", new)
            try DurableFile.exchange("draft", with: "key", on: disk)
            #expect(disk.afterLoss("key") == [new])
            #expect(disk.names == (durable.isEmpty ? ["key"] : ["draft", "key"]))
        }
    }

    @Test("Real folders take each other's place")
    func systemExchange() throws {
        let folder = TestFolder()
        for name in ["a", "b"] {
            try DurableFile.makeFolder(folder.path(name))
            try DurableFile.replace(folder.path("\(name)/from-\(name)"), with: old)
        }
        try DurableFile.exchange(folder.path("a"), with: folder.path("b"))
        let files = FileManager.default
        #expect(try files.contentsOfDirectory(atPath: folder.path("b")) == ["from-a"])
        #expect(try files.contentsOfDirectory(atPath: folder.path("a")) == ["from-b"])
        try DurableFile.exchange(folder.path("a"), with: folder.path("c"))
        #expect(folder.files == ["b", "c"])
    }

    @Test("A file that was removed stays away")
    func remove() {
        cut(["key": old], allowed: [old, nil], end: [nil]) {
            let wasThere = try DurableFile.remove("key", on: $0)
            #expect(wasThere)
        }
    }

    @Test("The model finds what a write without the folder's fsync loses")
    func model() throws {
        let disk = ModelDisk()
        let file = try disk.create("draft", mode: 0o600)
        _ = try new.withUnsafeBytes { try disk.write($0, to: file) }
        try disk.rename("draft", to: "key")
        #expect(disk.afterLoss("key") == [nil, [], Array(new.prefix(3))])
    }

    @Test("A real file has the mode and the content, and no draft stays")
    func system() throws {
        let folder = TestFolder()
        let path = folder.path("a")
        try DurableFile.replace(path, with: old, mode: 0o644)
        #expect(try !DurableFile.create(path, new))
        #expect(try DurableFile.create(folder.path("b"), new))
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(old))
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o644)
        #expect(try DurableFile.remove(path) && !DurableFile.remove(path))
        #expect(folder.files == ["b"])
        #expect(throws: PlatformError("open", folder.path("none/a"), code: 2)) {
            try DurableFile.publish(folder.path("none/a"), as: path)
        }
    }

    @Test(
        "The folder of a path", arguments: [("a", "."), ("/a", "/"), ("b/a", "b"), ("/c/b/", "/c")])
    func folder(_ path: String, _ expected: String) {
        #expect(DurableFile.folder(of: path) == expected)
    }

    @Test(
        "Attack 66: nothing else in the sources makes files, but for locks, databases and throw-away folders"
    )
    func onlyWriter() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let allowed: Set = [
            // The option itself, a lock, a database, and directories that are deleted again.
            "SystemDisk.swift", "Descriptor.swift", "FileLock.swift", "OwnerOnlyFile.swift",
            "TourFolder.swift", "TourService.swift",
        ]
        let maker =
            /O_CREAT|\[[^\]\n]*\.create[,\]]|\.write\(to: (url|log|path|file)|write\(toFile|createFile\(|fopen\([^)]*"w|mkstemp/
        // rename(2) throws nothing; a method of that name that does is another.
        let mover = /copyItem|\.moveItem|replaceItem|([=,({!]|guard|if|return|&&) ?rename\(/
        let paths = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var found: Set<String> = []
        for case let path as URL in paths where path.pathExtension == "swift" {
            let text = try String(contentsOf: path, encoding: .utf8)
            if text.contains(maker) || text.contains(mover) { found.insert(path.lastPathComponent) }
        }
        #expect(found.subtracting(allowed).isEmpty && found.contains("SystemDisk.swift"))
    }
}
