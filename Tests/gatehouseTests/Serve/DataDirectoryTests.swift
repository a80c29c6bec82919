// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Primitives
import Support
import Testing

@testable import gatehouse

@Suite struct DataDirectoryTests {
    private let folder: TestFolder

    init() { folder = TestFolder() }

    @Test("A secret file is made once: the second maker gets the first one's content")
    func once() throws {
        let path = folder.path("secret")
        #expect(try SecretFile.create(path, [1]) == [1])
        #expect(try SecretFile.create(path, [2]) == [1])
        try SecretFile.replace(path, [3])
        #expect(try SecretFile.read(path) == [3])
    }

    @Test("What is missing is nil, what cannot be is an error")
    func missing() throws {
        #expect(try SecretFile.read(folder.path("nothing")) == nil)
        #expect(throws: FileError.self) { try SecretFile.create(folder.path("a/b"), [1]) }
    }

    @Test("A file that is too long is refused")
    func tooLong() throws {
        let path = folder.path("long")
        try SecretFile.replace(path, [UInt8](repeating: 0, count: 100))
        #expect(throws: FileError.self) { try SecretFile.read(path, limit: 99) }
    }

    @Test("Only one process uses a data directory")
    func lock() throws {
        let directory = try DataDirectory.open(folder.path("data"))
        let first = try directory.lock()
        let held = first != nil
        #expect(held)
        let second = try directory.lock() == nil
        #expect(second)
        _ = consume first
    }

    @Test("A data directory that is a file is refused")
    func notADirectory() throws {
        try SecretFile.replace(folder.path("file"), [1])
        #expect(throws: CommandError.self) { try DataDirectory.open(folder.path("file")) }
    }
}
