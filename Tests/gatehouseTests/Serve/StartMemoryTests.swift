// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import gatehouse

@Suite struct StartMemoryTests {
    private func smaps(_ head: String, anonymous: Int) -> String {
        "\(head)\nSize: 4 kB\nRss: 4 kB\nAnonymous: \(anonymous) kB\nVmFlags: rd mr\n"
    }

    @Test("Unwritable, unchanged pages of a file may go")
    func unchanged() {
        let text =
            smaps("1000-3000 r-xp 00000000 fe:00 42   /usr/bin/gatehouse", anonymous: 0)
            + smaps("4000-5000 r--p 00000000 fe:00 42   /usr/lib/libc.so.6", anonymous: 0)
        #expect(StartMemory.unchangedFileRanges(smaps: text) == [0x1000..<0x3000, 0x4000..<0x5000])
    }

    @Test(
        "Everything else stays",
        arguments: [
            ("1000-3000 rw-p 00000000 fe:00 42   /usr/bin/gatehouse", 0),
            ("1000-3000 r--p 00000000 fe:00 42   /usr/bin/gatehouse", 4),
            ("1000-3000 r--s 00000000 fe:00 42   /var/gatehouse.sqlite-shm", 0),
            ("1000-3000 r-xp 00000000 00:00 0   [vdso]", 0),
            ("1000-3000 r--p 00000000 00:00 0", 0),
            ("3000-1000 r-xp 00000000 fe:00 42   /usr/bin/gatehouse", 0),
            ("zzz-3000 r-xp 00000000 fe:00 42   /usr/bin/gatehouse", 0),
        ])
    func kept(_ head: String, _ anonymous: Int) {
        let text = smaps(head, anonymous: anonymous)
        #expect(StartMemory.unchangedFileRanges(smaps: text).isEmpty)
    }

    @Test("A process that gave its pages back goes on as before")
    func goesOn() {
        StartMemory.release()
        #expect((0..<1000).map(String.init).joined().utf8.count == 2890)
    }
}
