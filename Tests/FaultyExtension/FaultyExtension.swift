// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An extension with every fault that one can have. The argument names what it does wrong from the
/// start; `good` registers people, and then the person's name says what goes wrong.
@main struct FaultyExtension {
    private static let socket: Int32 = 3

    static func main() {
        let fault = CommandLine.arguments.dropFirst().first ?? "good"
        switch fault {
        case "exit": exit(3)
        case "garbage": write(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        case "long": write([0x7F, 0xFF, 0xFF, 0xFF])
        case "early": say(.answer(1, .done))
        case "deaf": while true { pause() }
        default: break
        }
        serve(fault)
    }

    private static func serve(_ fault: String) {
        var frames = ExtensionFrameReader()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(socket, &buffer, buffer.count)
            guard count > 0, let contents = try? frames.read(buffer[..<count]) else { exit(0) }
            for content in contents {
                guard let message = try? ExtensionFrame.message(HostMessage.self, in: content)
                else { exit(4) }
                react(to: message, fault)
            }
        }
    }

    private static func react(to message: HostMessage, _ fault: String) {
        switch message {
        case .hello where fault == "silent": break
        case .hello:
            let description = ExtensionDescription(
                handlesRegistration: fault != "incapable", handlesAuthorization: fault != "good")
            say(.ready(version: fault == "version" ? 2 : 1, description))
            if fault == "ready-twice" { say(.ready(version: 1, description)) }
        case .request(let number, .registerUser(_, let name, _, _)): register(number, name ?? "")
        case .request(let number, let request): say(.answer(number, .missing(to: request.kind)))
        case .cancel(let number): say(.answer(number, .registration(.success)))
        case .answer(_, let result): calledBack(result)
        case .stop where fault != "stubborn": exit(0)
        case .stop: break
        }
    }

    /// The request in which something was called last. `nonisolated(unsafe)`: this program has one
    /// thread, its `main`, and nothing here starts another.
    nonisolated(unsafe) private static var calling: UInt64 = 0

    private static func register(_ number: UInt64, _ name: String) {
        calling = number
        switch name {
        case "crash": kill(getpid(), SIGKILL)
        case "exit": exit(0)
        case "answer-and-exit":
            say(.answer(number, .registration(.success)))
            exit(0)
        case "hang": break
        case "twice":
            say(.answer(number, .registration(.success)))
            say(.answer(number, .registration(.failedNoRetry)))
        case "garbage": write([0, 0, 0, 3] + Array("{]}".utf8))
        case "wrong": say(.answer(number, .decision(true)))
        case "unasked": say(.answer(number + 1000, .registration(.success)))
        case "unasked-call": say(.call(number: 1, request: number + 1000, .present))
        case "same-call":
            say(.call(number: 1, request: number, .userNeedsReauthentication))
            say(.call(number: 1, request: number, .userNeedsReauthentication))
        case "save": say(.call(number: 1, request: number, .saveLoginUserName("anna")))
        case "ask": say(.call(number: 1, request: number, .ask(.secret("Password:"))))
        case "present": say(.call(number: 1, request: number, .present))
        case "call-after":
            say(.answer(number, .registration(.success)))
            say(.call(number: 1, request: number, .resetKeys))
        case "fork":
            say(.call(number: 1, request: number, .saveLoginUserName("\(fork())")))
        case "escape":
            say(.call(number: 1, request: number, .saveLoginUserName("\(escape())")))
        case "confess":
            say(.call(number: 1, request: number, .saveLoginUserName(Confession.text)))
        default: say(.answer(number, .registration(.success)))
        }
    }

    /// A call was answered: the request is answered with how it went.
    private static func calledBack(_ result: Result<ExtensionCallResponse, ExtensionCallRefusal>) {
        switch result {
        case .success: say(.answer(calling, .registration(.success)))
        case .failure: say(.answer(calling, .registration(.failed)))
        }
    }

    /// Starts a child that inherits the socket and runs as long as the agent's program: it never
    /// survives the tests.
    private static func fork() -> pid_t {
        var pid: pid_t = 0
        let wait = "while kill -0 \(getppid()) 2>/dev/null; do sleep 1; done"
        var arguments: [UnsafeMutablePointer<CChar>?] = [
            strdup("sh"), strdup("-c"), strdup(wait), nil,
        ]
        posix_spawn(&pid, "/bin/sh", nil, nil, &arguments, nil)
        return pid
    }

    /// Starts a grandchild in a separate process group, whose parent has ended. A shell's job is
    /// like that, and a signal to this program's group does not reach it. As in ``fork()``, it ends
    /// with the agent.
    private static func escape() -> pid_t {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return 0 }
        let wait = "while kill -0 \(getppid()) 2>/dev/null; do sleep 1; done"
        var arguments: [UnsafeMutablePointer<CChar>?] = [
            strdup("sh"), strdup("-c"), strdup("{ \(wait); } >/dev/null & echo $!"), nil,
        ]
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        posix_spawn_file_actions_adddup2(&files, ends[1], 1)
        posix_spawn_file_actions_addclose(&files, ends[0])
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, numericCast(POSIX_SPAWN_SETPGROUP))
        var pid: pid_t = 0
        posix_spawn(&pid, "/bin/sh", &files, &attributes, &arguments, nil)
        close(ends[1])
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        var text = [UInt8](repeating: 0, count: 32)
        let count = max(read(ends[0], &text, text.count), 0)
        let digits = String(decoding: text[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
        return pid_t(digits) ?? 0
    }

    private static func say(_ message: ExtensionMessage) {
        if let frame = try? ExtensionFrame.bytes(of: message) { write(frame) }
    }

    private static func write(_ bytes: [UInt8]) {
        #if canImport(Glibc)
            _ = Glibc.write(socket, bytes, bytes.count)
        #elseif canImport(Musl)
            _ = Musl.write(socket, bytes, bytes.count)
        #else
            _ = Darwin.write(socket, bytes, bytes.count)
        #endif
    }
}
