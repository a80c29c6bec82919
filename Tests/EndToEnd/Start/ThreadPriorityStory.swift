// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// The priority of the threads that serve.
    @Suite("Thread priority")
    struct ThreadPriorityStory {
        @Test("no thread asks for a higher priority than normal, which a service may not have")
        func normal() async throws {
            let log = try Repository.outputFile("thread-priority.log")
            try? FileManager.default.removeItem(at: log)
            let server = try await ServerProcess(
                "thread-priority", environment: ["LIBDISPATCH_LOG": "stderr"])
            for _ in 0..<20 { #expect(try await server.get("/jwks").status == 200) }
            // As root the system grants what it refuses to a service.
            #expect(try Self.niceness(of: server.child.pid).allSatisfy { $0 >= 0 })
            try await server.stop()
            #expect(try !String(contentsOf: log, encoding: .utf8).contains("thread priority"))
        }

        /// The niceness of each thread: the 19th field of its `stat`, after the name in brackets
        /// (proc(5)).
        private static func niceness(of pid: Int32) throws -> [Int] {
            let tasks = "/proc/\(pid)/task"
            let values = try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap {
                thread -> Int? in
                guard
                    let stat = try? String(
                        contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8),
                    let end = stat.lastIndex(of: ")")
                else { return nil }
                let fields = stat[end...].split(separator: " ")
                return fields.count > 17 ? Int(fields[17]) : nil
            }
            guard !values.isEmpty else { throw HarnessError("no thread of \(pid)") }
            return values
        }
    }
}
