// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import SSOExtensions
import SingleSignOn
import Synchronization

/// The faulty extension with a fault.
struct FaultySource: ExtensionProgramSource {
    let identifier = "com.example.faulty"
    let fault: String
    var capabilities: Set<ExtensionManifest.Capability> = [.platformSSO]

    init(_ fault: String = "good") { self.fault = fault }

    func open() throws(ExtensionTrustRefusal) -> ExtensionProgram {
        ExtensionProgram(
            executable: try ExtensionFile(Self.executable, owner: nil), arguments: [fault],
            capabilities: capabilities)
    }

    /// In the directory of the tests.
    static let executable =
        Bundle.main.executableURL?.deletingLastPathComponent()
        .appending(path: "faulty-extension").resolvingSymlinksInPath().path() ?? ""
}

/// Time that passes when a test says so.
final class ManualTimer: ExtensionTimer {
    private struct Waiter {
        let until: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }
    private struct State {
        var now = Duration.zero
        var waiters: [UUID: Waiter] = [:]
    }

    private let state = Mutex(State())

    var now: Duration { state.withLock { $0.now } }

    /// How many wait for that long.
    func waiters(for duration: Duration) -> Int {
        state.withLock { state in
            state.waiters.values.filter { $0.until == state.now + duration }.count
        }
    }

    func wait(_ duration: Duration) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard !Task.isCancelled else { return true }
                    state.waiters[id] = Waiter(
                        until: state.now + duration, continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?
                .continuation.resume(throwing: CancellationError())
        }
    }

    func pass(_ duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.waiters.filter { $0.value.until <= state.now }
            for id in due.keys { state.waiters[id] = nil }
            return due.values
        }
        for waiter in due { waiter.continuation.resume() }
    }
}

/// What the host reported, to be waited for.
final class Reports: Sendable {
    private let all = Mutex<[ExtensionEvent]>([])
    let stream: AsyncStream<ExtensionEvent>
    private let inbox: AsyncStream<ExtensionEvent>.Continuation

    init() { (stream, inbox) = AsyncStream.makeStream() }

    func report(_ event: ExtensionEvent) {
        all.withLock { $0.append(event) }
        inbox.yield(event)
    }

    var events: [ExtensionEvent] { all.withLock { $0 } }

    /// The next event of that kind; others are passed over.
    func next(_ isWanted: (ExtensionEvent) -> Bool) async -> ExtensionEvent? {
        for await event in stream where isWanted(event) { return event }
        return nil
    }
}

/// An agent that does what it is called for, and remembers it.
final class PlayedCalls: ExtensionCallHandler {
    private let seen = Mutex<[ExtensionCall]>([])

    var calls: [ExtensionCall] { seen.withLock { $0 } }

    func answer(
        _ call: ExtensionCall
    ) async throws(ExtensionCallRefusal) -> ExtensionCallResponse {
        seen.withLock { $0.append(call) }
        switch call {
        case .userNeedsReauthentication:
            // Runs until the task is cancelled.
            try? await Task.sleep(for: .seconds(3600))
            return .done
        case .ask(.secret): return .text(.init("secret"))
        default: return .done
        }
    }
}

extension ExtensionHostRequest {
    static func user(
        _ name: String, _ options: ExtensionRequestOptions = []
    ) -> ExtensionHostRequest {
        .registerUser(ExtensionLoginState(), userName: name, .password, options)
    }
}
