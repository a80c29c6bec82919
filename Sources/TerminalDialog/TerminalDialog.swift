// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A dialog in a terminal: one panel, drawn in place, that prompts for secrets, lines and choices.
/// It can be cancelled at any time with Esc or Ctrl-C.
package actor TerminalDialog {
    /// The person pressed Esc or Ctrl-C, the terminal was closed, or the task was cancelled.
    package struct Cancelled: Error {}

    private enum Input: Sendable {
        case text(String)
        case index(Int)
    }

    private let device: any TerminalDevice
    private let style: TerminalStyle
    private var panel: TerminalPanel
    private var drawn = 0
    private var typed = ""
    private var reader = TerminalKeyReader()
    private var waiting: CheckedContinuation<Input, any Error>?
    private var onCancel: (@Sendable () -> Void)?
    private var reading: Task<Void, Never>?
    private var isOver = false

    /// - Parameter onCancel: Called once if the person cancels, whether or not there is a prompt at
    ///   that moment.
    package init(
        title: String, subject: [String], device: any TerminalDevice, style: TerminalStyle,
        onCancel: (@Sendable () -> Void)? = nil
    ) {
        self.device = device
        self.style = style
        self.onCancel = onCancel
        panel = TerminalPanel(title: title, subject: subject)
    }

    /// Draws the panel and begins to listen.
    package func open() {
        guard reading == nil, !isOver else { return }
        draw()
        reading = Task { [device] in
            for await bytes in device.input { receive(bytes) }
            cancel()
        }
    }

    /// Displays a text without a prompt.
    package func notice(_ text: String, problem: String? = nil) {
        show(.notice(text), problem)
    }

    /// Prompts for a secret without displaying the input.
    package func secret(_ prompt: String, problem: String? = nil) async throws -> Secret {
        typed = ""
        show(.secret(prompt: prompt, typed: 0), problem)
        guard case .text(let text) = try await answer() else { throw Cancelled() }
        return Secret(text)
    }

    /// Prompts for a line of text.
    package func line(_ prompt: String, problem: String? = nil) async throws -> String {
        typed = ""
        show(.line(prompt: prompt, typed: ""), problem)
        guard case .text(let text) = try await answer() else { throw Cancelled() }
        return text
    }

    /// Prompts for one of several items. A single item is returned without a prompt.
    package func choice(_ prompt: String, _ items: [String]) async throws -> Int {
        guard items.count > 1 else { return 0 }
        show(.choice(prompt: prompt, items: items, selected: 0), nil)
        guard case .index(let index) = try await answer() else { throw Cancelled() }
        return index
    }

    /// Removes the panel, leaves one line, and restores the terminal.
    package func close(_ outcome: String? = nil, isGood: Bool = true) {
        guard !isOver else { return }
        isOver = true
        erase()
        if let outcome {
            let role: TerminalStyle.Role = isGood ? .good : .bad
            device.write("\(style.paint(style.mark(role), role)) \(outcome)\r\n")
        }
        device.write("\u{1B}[?25h")
        device.close()
        reading?.cancel()
        onCancel = nil
        resume(with: .failure(Cancelled()))
    }

    private func show(_ step: TerminalPanel.Step, _ problem: String?) {
        panel.step = step
        panel.problem = problem
        draw()
    }

    private func answer() async throws -> Input {
        guard !isOver, !Task.isCancelled, waiting == nil else { throw Cancelled() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting = $0 }
        } onCancel: {
            Task { await self.resume(with: .failure(Cancelled())) }
        }
    }

    private func resume(with result: Result<Input, any Error>) {
        waiting?.resume(with: result)
        waiting = nil
        typed = ""
    }

    private func cancel() {
        resume(with: .failure(Cancelled()))
        onCancel?()
        onCancel = nil
    }

    private func receive(_ bytes: [UInt8]) {
        for key in reader.keys(in: bytes) where !isOver {
            switch key {
            case .cancel, .end: cancel()
            default: receive(key)
            }
        }
    }

    private func receive(_ key: TerminalKey) {
        guard waiting != nil else { return }
        switch panel.step {
        case .secret, .line: receiveText(key)
        case .choice(let prompt, let items, let selected):
            receiveChoice(key, prompt, items, selected)
        default: break
        }
    }

    /// The maximum length of an input, in bytes of UTF-8.
    private static let greatestAnswer = 1024

    private func receiveText(_ key: TerminalKey) {
        switch key {
        case .enter: return resume(with: .success(.text(typed)))
        case .backspace: typed = String(typed.dropLast())
        case .clear: typed = ""
        case .text(let text) where typed.utf8.count < Self.greatestAnswer: typed += text
        default: return
        }
        switch panel.step {
        case .secret(let prompt, _):
            panel.step = .secret(prompt: prompt, typed: typed.count)
        case .line(let prompt, _):
            panel.step = .line(prompt: prompt, typed: TerminalText.safe(typed))
        default: break
        }
        draw()
    }

    private func receiveChoice(
        _ key: TerminalKey, _ prompt: String, _ items: [String], _ selected: Int
    ) {
        var next = selected
        switch key {
        case .enter: return resume(with: .success(.index(selected)))
        case .up: next = max(0, selected - 1)
        case .down: next = min(items.count - 1, selected + 1)
        case .text(let text):
            guard let number = Int(text), items.indices.contains(number - 1) else { return }
            next = number - 1
        default: return
        }
        panel.step = .choice(prompt: prompt, items: items, selected: next)
        draw()
    }

    private func draw() {
        guard !isOver else { return }
        let lines = panel.lines(columns: device.columns, style: style)
        device.write(Self.up(drawn) + "\u{1B}[?25l" + lines.joined(separator: "\r\n") + "\r\n")
        drawn = lines.count
    }

    private func erase() {
        device.write(Self.up(drawn))
        drawn = 0
    }

    /// Back over the lines drawn before, and away with them.
    private static func up(_ lines: Int) -> String {
        lines > 0 ? "\u{1B}[\(lines)A\r\u{1B}[J" : ""
    }
}
