// SPDX-License-Identifier: Apache-2.0
package import AgentClient
import Platform
import Primitives
import Synchronization
package import TerminalDialog

/// Shows what the agent does as a list that grows, and asks what it wants to know in a panel.
///
/// On a terminal the step that is under way has a dot, which becomes a tick when it is done; in a log
/// only what is done is written.
package final class AgentTerminal: Sendable {
    private let style: TerminalStyle
    private let isTerminal: Bool
    private let columns: @Sendable () -> Int
    private let write: @Sendable (String) -> Void
    /// What is under way, drawn without the end of its line.
    private let current = Mutex<String?>(nil)

    package init(
        style: TerminalStyle = TerminalStyle(environment: ProcessEnvironment.all),
        isTerminal: Bool = StandardError.isTerminal,
        columns: @escaping @Sendable () -> Int = { StandardError.columns },
        write: @escaping @Sendable (String) -> Void = { StandardError.write($0) }
    ) {
        self.style = style
        self.isTerminal = isTerminal
        self.columns = columns
        self.write = write
    }

    package func show(_ step: AgentStep) {
        switch step {
        case .registeringDevice: begin("Registering this device")
        case .deviceRegistered: end("This device is registered", .good)
        case .registeringPerson: begin("Registering you")
        case .personRegistered: end("You are registered on this device", .good)
        case .signingIn: begin("Signing in")
        case .signedIn: end("Signed in", .good)
        case .wrongPassword: end("The provider does not know that name and password", .bad)
        case .wrongPIN: end("The card does not accept that PIN", .bad)
        case .wrongKeyPIN: end("Your key does not accept that PIN", .bad)
        case .weakPIN: end("That PIN is too short, or too easy to guess", .bad)
        case .otherPIN: end("The two PINs are not the same", .bad)
        case .pinAtReader: begin("Type the PIN at the card reader")
        case .touchKey: begin("Touch your security key")
        case .insertKey: begin("Plug in your security key")
        case .verifyAtKey: begin("Use the fingerprint reader of your security key")
        case .bindingKey: begin("Asking for the key that unlocks what is sealed")
        case .keyBound: end("What you seal here opens with your sign-in", .good)
        }
    }

    private func begin(_ text: String) {
        current.withLock { current in
            guard isTerminal else { return }
            if current != nil { write("\r\u{1B}[K") }
            current = text
            // One row at most: it is taken back as one.
            let shown = TerminalText.wrap(text, width: columns() - 7)[0]
            write("  \(style.paint(style.mark(.mark), .mark)) \(shown) \(style.ellipsis)")
        }
    }

    private func end(_ text: String, _ role: TerminalStyle.Role) {
        current.withLock { current in
            if isTerminal, current != nil { write("\r\u{1B}[K") }
            current = nil
            write(rows(text, role))
        }
    }

    /// The mark, and the text in a column behind it.
    private func rows(_ text: String, _ role: TerminalStyle.Role) -> String {
        TerminalText.wrap(text, width: isTerminal ? columns() - 5 : .max).enumerated()
            .map { index, line in
                let mark = index == 0 ? style.paint(style.mark(role), role) : " "
                return "  \(mark) \(line)\n"
            }.joined()
    }

    /// Nothing is left half drawn.
    package func finish(isGood: Bool) {
        current.withLock { current in
            guard isTerminal, let text = current else { return }
            let role: TerminalStyle.Role = isGood ? .good : .bad
            write("\r\u{1B}[K" + rows(text, role))
            current = nil
        }
    }

    // MARK: Questions

    /// - Throws: `CommandError` without a terminal; `TerminalDialog.Cancelled`.
    package func answer(_ question: AgentPrompt) async throws -> String {
        switch question {
        case .notice(let text):
            end(TerminalText.safe(text), .mark)
            return ""
        case .page(let url):
            showPage(url)
            return ""
        case .code(let page):
            show(page)
            return ""
        case .line, .secret, .choice: break
        }
        guard let terminal = try? ControllingTerminal() else {
            throw CommandError("the agent requires input; run this at a terminal")
        }
        if isTerminal { current.withLock { if $0 != nil { write("\r\u{1B}[K") } } }
        let dialog = TerminalDialog(
            title: "Gatehouse", subject: [], device: terminal, style: style)
        await dialog.open()
        do {
            let text = try await ask(question, dialog)
            await dialog.close()
            return text
        } catch {
            await dialog.close()
            throw CommandError("cancelled; repeat the command to resume")
        }
    }

    private func ask(_ question: AgentPrompt, _ dialog: TerminalDialog) async throws -> String {
        switch question {
        case .secret(let prompt): return try await secret(prompt, dialog)
        case .line(let prompt, let suggestion):
            let text = try await dialog.line(Self.prompt(prompt, suggestion))
            return text.isEmpty ? suggestion ?? "" : text
        case .choice(let prompt, let choices):
            let shown = choices.map { TerminalText.safe($0) }
            return choices[try await dialog.choice(TerminalText.safe(prompt), shown)]
        case .notice, .page, .code: return ""
        }
    }

    /// Nothing is no password and no PIN: it is asked for again, and not sent.
    private func secret(_ prompt: String, _ dialog: TerminalDialog) async throws -> String {
        var problem: String?
        while true {
            let text = try await dialog.secret(TerminalText.safe(prompt), problem: problem)
                .revealText()
            if !text.isEmpty { return text }
            problem = "Nothing was typed."
        }
    }

    /// Returns the prompt with the default value, which Enter selects, before the colon.
    static func prompt(_ text: String, _ suggestion: String?) -> String {
        let text = TerminalText.safe(text)
        guard let suggestion else { return text }
        let hint = "(Enter for \(TerminalText.safe(suggestion)))"
        return text.hasSuffix(":") ? "\(text.dropLast()) \(hint):" : "\(text) \(hint)"
    }

    /// Opens the page in the browser of this device. The provider's response reaches the agent
    /// here.
    private func showPage(_ url: String) {
        let isOpen = Browser.isPresent && Browser.open(url)
        if isTerminal { current.withLock { if $0 != nil { write("\n") } } }
        let isRemote = ProcessEnvironment.all["SSH_CONNECTION"]?.isEmpty == false
        let host = isRemote ? LocalDeviceAttributes.ofThisMachine().hostName ?? "this-machine" : nil
        write(PageText(url: url, isOpen: isOpen, remoteHost: host).text)
    }

    /// For a phone: nothing comes back to this machine, the agent asks the provider.
    private func show(_ page: DeviceCodeInstructions) {
        if isTerminal { current.withLock { if $0 != nil { write("\n") } } }
        let text = PageCodeText(
            url: page.url, code: page.code, completeURL: page.completeURL,
            columns: isTerminal ? columns() : nil
        ).text
        write(text + "\n")
    }
}
