// SPDX-License-Identifier: Apache-2.0

/// Programs that have this process's environment.
extension Subprocess {
    /// Runs a program to its end, with the output and errors of this process.
    ///
    /// - Parameter arguments: Without the program's name.
    /// - Returns: The exit code, as ``wait(for:)`` does.
    package static func run(_ path: String, _ arguments: [String]) throws(PlatformError) -> Int32 {
        wait(for: try start(path, arguments, output: nil, errors: nil))
    }

    /// Runs a program to its end and returns what it writes; its errors are discarded.
    ///
    /// - Parameter limit: The result is longer if the output is.
    package static func output(
        of path: String, _ arguments: [String], limit: Int
    ) throws(PlatformError) -> (code: Int32, output: [UInt8]) {
        let (reader, writer) = try Descriptor.pipe()
        let process = Result { () throws(PlatformError) in
            try withNull { (null) throws(PlatformError) in
                try start(path, arguments, output: writer, errors: null)
            }
        }
        // The end of the output is that of the program.
        writer.close()
        let output = (try? reader.readAll(limit: limit)) ?? []
        // A program that writes more does not wait for a reader.
        reader.close()
        return (wait(for: try process.get()), output)
    }

    /// Starts a program that goes on by itself, without output and errors.
    package static func startSilently(
        _ path: String, _ arguments: [String]
    ) throws(PlatformError) {
        let process = try withNull { (null) throws(PlatformError) in
            try start(path, arguments, output: null, errors: null)
        }
        // Its number is free when it ends.
        try? BackgroundThread.start(niceness: 0) { wait(for: process) }
    }

    private static func withNull<Value>(
        _ body: (Descriptor) throws(PlatformError) -> Value
    ) throws(PlatformError) -> Value {
        let null = try Descriptor.open("/dev/null", .write)
        defer { null.close() }
        return try body(null)
    }

    private static func start(
        _ path: String, _ arguments: [String], output: Descriptor?, errors: Descriptor?
    ) throws(PlatformError) -> Int32 {
        var inherited: [Inherited] = []
        if let output { inherited.append((output, 1)) }
        if let errors { inherited.append((errors, 2)) }
        return try start(
            path, [path] + arguments,
            environment: ProcessEnvironment.all.map { "\($0.key)=\($0.value)" },
            inherited: inherited, group: 0)
    }
}
