// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import Synchronization
import Testing

@Suite struct SubprocessTests {
    @Test("The output of a program and its exit code, without its errors")
    func output() throws {
        let (code, output) = try Subprocess.output(
            of: "/bin/sh", ["-c", "printf \"$1\"; echo hidden >&2; exit 3", "sh", "a b"], limit: 100
        )
        #expect(code == 3 && output == Array("a b".utf8))
    }

    @Test("A program has the environment of this process, and a long output is cut")
    func environment() throws {
        let found = try Subprocess.output(of: "/bin/sh", ["-c", "echo $PATH"], limit: 65_536)
        #expect(found.output == Array(((ProcessEnvironment["PATH"] ?? "") + "\n").utf8))
        let script = "while echo 123456; do :; done"
        let cut = try Subprocess.output(of: "/bin/sh", ["-c", script], limit: 3)
        #expect(cut.output == Array("1234".utf8))
    }

    @Test("A program that does not exist is an error, and one that fails is a code")
    func failures() throws {
        #expect(throws: PlatformError.self) { try Subprocess.run("/nowhere/program", []) }
        #expect(throws: PlatformError.self) { try Subprocess.startSilently("/nowhere/program", []) }
        #expect(try Subprocess.run("/bin/sh", ["-c", "exit 7"]) == 7)
    }

    #if os(Linux)
        @Test("Attack 96: a program inherits no descriptor that another thread opens meanwhile")
        func inheritance() throws {
            let stop = Atomic(false)
            let thread = Thread {
                while !stop.load(ordering: .relaxed) { close(open("/dev/null", O_RDONLY)) }
            }
            thread.start()
            defer { stop.store(true, ordering: .relaxed) }
            for _ in 0..<50 {
                // 3 is the folder that `ls` reads.
                let found = try Subprocess.output(of: "/bin/ls", ["/proc/self/fd"], limit: 1000)
                #expect(String(decoding: found.output, as: UTF8.self) == "0\n1\n2\n3\n")
            }
        }
    #endif
}
