// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A process's report about itself: privileges, limits, inherited state, and the results of calls
/// that are otherwise allowed for all users. One `NAME VALUE` on each line.
enum Confession {
    static var text: String {
        (status + limits + inherited + refusals).map { "\($0.name) \($0.value)" }
            .joined(separator: "\n")
    }

    private typealias Fact = (name: String, value: String)

    private static var status: [Fact] {
        let wanted = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp"]
        return lines(of: "/proc/self/status").compactMap { line in
            let parts = line.split(whereSeparator: { $0 == ":" || $0 == "\t" })
            guard parts.count == 2, wanted.contains(String(parts[0])) else { return nil }
            return (String(parts[0]), String(parts[1]))
        }
    }

    private static var limits: [Fact] {
        lines(of: "/proc/self/limits").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 5, words[0] == "Max" else { return nil }
            switch words[1] {
            case "core": return ("core", String(words[4]))
            case "open": return ("files", String(words[4]))
            case "data": return ("data", String(words[4]))
            default: return nil
            }
        }
    }

    private static var inherited: [Fact] {
        var names: [String] = []
        var next = environ
        while let text = next.pointee {
            names.append(String(String(cString: text).prefix { $0 != "=" }))
            next += 1
        }
        let open = (Int32(0)..<1024).filter { fcntl($0, F_GETFD) >= 0 }
        return [
            ("environment", names.sorted().joined(separator: ",")),
            ("descriptors", open.map(String.init).joined(separator: ",")),
        ]
    }

    private typealias Call = @convention(c) (Int32) -> Int32

    /// 0 where the call went well, else `errno`. Swift's module of the C library leaves them out.
    private static var refusals: [Fact] {
        // CLONE_FILES; asking for the personality that it has.
        let harmless: [(name: String, argument: Int32)] = [("unshare", 0x400), ("personality", -1)]
        return harmless.map { name, argument in
            guard let address = dlsym(nil, name) else { return (name, "none") }
            let call = unsafeBitCast(address, to: Call.self)
            return (name, call(argument) >= 0 ? "0" : "\(errno)")
        }
    }

    private static func lines(of path: String) -> [Substring] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    }
}
