// SPDX-License-Identifier: Apache-2.0
import CTAP
import Synchronization

/// A person made of answers: what they are asked is kept, in order.
final class TestPerson: SecurityKeyInteraction {
    struct Log: Sendable {
        var prompts: [SecurityKeyPrompt] = []
        var pinRequests: [PINPrompt] = []
        var newPINRequests: [NewPINPrompt] = []
        var accounts: [[SecurityKeyAccount]] = []
        var finished = 0
    }

    private let state = Mutex(Log())
    private let pins: Mutex<[String]>
    private let newPINs: Mutex<[String]>
    private let account: String?
    private let watch: Mutex<(@Sendable (SecurityKeyPrompt) -> Void)?>

    /// - Parameter account: The user name to choose; `nil` gives up.
    init(pins: [String] = [], newPINs: [String] = [], account: String? = nil) {
        self.pins = Mutex(pins)
        self.newPINs = Mutex(newPINs)
        self.account = account
        watch = Mutex(nil)
    }

    var log: Log { state.withLock { $0 } }

    func onPrompt(_ body: @escaping @Sendable (SecurityKeyPrompt) -> Void) {
        watch.withLock { $0 = body }
    }

    func show(_ prompt: SecurityKeyPrompt) async {
        state.withLock { $0.prompts.append(prompt) }
        watch.withLock { $0 }?(prompt)
    }

    func enterPIN(_ request: PINPrompt) async -> String? {
        state.withLock { $0.pinRequests.append(request) }
        return pins.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func choosePIN(_ request: NewPINPrompt) async -> String? {
        state.withLock { $0.newPINRequests.append(request) }
        return newPINs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func chooseAccount(_ accounts: [SecurityKeyAccount]) async -> SecurityKeyAccount? {
        state.withLock { $0.accounts.append(accounts) }
        return accounts.first { $0.name == account && account != nil }
    }

    func finished() async { state.withLock { $0.finished += 1 } }
}
