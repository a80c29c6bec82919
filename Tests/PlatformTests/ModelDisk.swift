// SPDX-License-Identifier: Apache-2.0
import Platform
import Synchronization

/// A disk with one folder, which knows what was synchronised and what was not: after a loss of power, what was
/// not is there or is not, as it happens.
final class ModelDisk: Disk {
    private struct State {
        /// Of each file every content since it was last synchronised; the last one is what a reader sees.
        var contents: [[[UInt8]]] = []
        /// Every state of the folder since it was last synchronised, likewise.
        var names: [[String: Int]] = [[:]]
        /// Descriptors: the file, or `nil` for the folder.
        var open: [Int?] = []
        var calls: Int
    }

    static let exists: Errno = 17
    static let missing: Errno = 2
    static let unsupported: Errno = 22
    private let state: Mutex<State>
    private let exchanges: Bool

    /// - Parameters:
    ///   - calls: how many of them there are before the power fails.
    ///   - exchanges: whether it can exchange two names at once.
    init(_ durable: [String: [UInt8]] = [:], calls: Int = .max, exchanges: Bool = true) {
        self.exchanges = exchanges
        var state = State(calls: calls)
        for (name, content) in durable {
            state.names[0][name] = state.contents.count
            state.contents.append([content])
        }
        self.state = Mutex(state)
    }

    /// Everything that may be read under that name after the power came back; `nil` when nothing may be.
    func afterLoss(_ name: String) -> Set<[UInt8]?> {
        state.withLock { state in
            var found: Set<[UInt8]?> = []
            for names in state.names {
                guard let file = names[name] else {
                    found.insert(nil)
                    continue
                }
                for content in state.contents[file] { found.insert(content) }
            }
            return found
        }
    }

    var names: [String] { state.withLock { ($0.names.last ?? [:]).keys.sorted() } }

    /// Adds a file that another process has just created and not synchronized.
    func appear(_ name: String, _ content: [UInt8]) {
        state.withLock { state in
            state.contents.append([[], content])
            state.names.append(
                (state.names.last ?? [:]).merging([name: state.contents.count - 1]) { $1 })
        }
    }

    private func call<Value: Sendable>(
        _ name: String, _ work: (inout State) -> Result<Value, PlatformError>
    ) throws(PlatformError) -> Value {
        let result: Result<Value, PlatformError> = state.withLock { state in
            guard state.calls > 0 else { return .failure(PlatformError("power", name, code: 0)) }
            state.calls -= 1
            return work(&state)
        }
        return try result.get()
    }

    private func change(
        _ name: String, _ work: (inout [String: Int]) -> Errno
    ) throws(PlatformError) {
        try call(name) { (state) -> Result<Void, PlatformError> in
            var names = state.names.last ?? [:]
            let code = work(&names)
            guard code == 0 else { return .failure(PlatformError(name, "", code: code)) }
            state.names.append(names)
            return .success(())
        }
    }

    func create(_ path: String, mode: UInt32) throws(PlatformError) -> Int32 {
        try change("open") { names in
            guard names[path] == nil else { return Self.exists }
            names[path] = -1
            return 0
        }
        return state.withLock { state in
            let file = state.contents.count
            state.contents.append([[]])
            state.names[state.names.count - 1][path] = file
            state.open.append(file)
            return Int32(state.open.count - 1)
        }
    }

    func open(_ path: String) throws(PlatformError) -> Int32 {
        try call("open") { (state) -> Result<Int32, PlatformError> in
            let file = state.names.last?[path]
            guard file != nil || path == "." else {
                return .failure(PlatformError("open", path, code: Self.missing))
            }
            state.open.append(file)
            return .success(Int32(state.open.count - 1))
        }
    }

    /// Three bytes at a time, so that a loss of power finds every part of a content.
    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(PlatformError) -> Int {
        let part = Array(bytes.prefix(3))
        return try call("write") { (state) -> Result<Int, PlatformError> in
            guard let file = state.open[Int(file)] else {
                return .failure(PlatformError("write", "", code: 9))
            }
            state.contents[file].append((state.contents[file].last ?? []) + part)
            return .success(part.count)
        }
    }

    func synchronize(_ file: Int32) throws(PlatformError) {
        try call("fsync") { (state) -> Result<Void, PlatformError> in
            if let file = state.open[Int(file)] {
                state.contents[file] = Array(state.contents[file].suffix(1))
            } else {
                state.names = Array(state.names.suffix(1))
            }
            return .success(())
        }
    }

    func close(_ file: Int32) {}

    func rename(_ path: String, to name: String) throws(PlatformError) {
        try change("rename") { names in
            guard let file = names.removeValue(forKey: path) else { return Self.missing }
            names[name] = file
            return 0
        }
    }

    func exchange(_ path: String, with name: String) throws(PlatformError) {
        try change("renameat2") { names in
            guard exchanges else { return Self.unsupported }
            guard let file = names[path], let other = names[name] else { return Self.missing }
            names[path] = other
            names[name] = file
            return 0
        }
    }

    func link(_ path: String, to name: String) throws(PlatformError) {
        try change("link") { names in
            guard names[name] == nil else { return Self.exists }
            names[name] = names[path]
            return 0
        }
    }

    func remove(_ path: String) throws(PlatformError) {
        try change("unlink") { $0.removeValue(forKey: path) == nil ? Self.missing : 0 }
    }

    func makeFolder(_ path: String, mode: UInt32) throws(PlatformError) {}
}
