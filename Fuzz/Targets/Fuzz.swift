// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The fuzzing executable: `Fuzz TARGET [libFuzzer options] [folders]`, or `Fuzz --list`.
@main
enum Fuzz {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, arguments[1] != "--list" else {
            for target in FuzzTarget.all { print(target.name) }
            return
        }
        guard let target = FuzzTarget.all.first(where: { $0.name == arguments[1] }) else {
            print("no such target: \(arguments[1])")
            return
        }
        chosen.withLock { $0 = target }
        run(without: 1)
    }

    /// Starts libFuzzer with the arguments without the target's name.
    private static func run(without index: Int) {
        var count = CommandLine.argc - 1
        var arguments = CommandLine.unsafeArgv
        arguments[index] = arguments[0]
        arguments += index
        withUnsafeMutablePointer(to: &arguments) { pointer in
            pointer.withMemoryRebound(to: OpaquePointer.self, capacity: 1) { argv in
                _ = fuzzerRunDriver(&count, argv, fuzzerInput)
            }
        }
    }
}

/// What libFuzzer calls with every input; its runtime wants the function under this name.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzerInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let target = chosen.withLock { $0 }
    target?.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// libFuzzer's entry for programs that have a `main` of their own.
@_silgen_name("LLVMFuzzerRunDriver")
private func fuzzerRunDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<OpaquePointer>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
