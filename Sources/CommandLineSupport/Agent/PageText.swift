// SPDX-License-Identifier: Apache-2.0
import TerminalDialog

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text in a terminal for a page whose response goes to a loopback port of this device (RFC
/// 8252 section 7.3). A phone cannot reach that port, and the code in the response is useful only
/// to the waiting agent. Therefore the text has no QR code. Over ssh it explains how to forward the
/// port.
struct PageText {
    let url: String
    /// Whether a browser was told to open it.
    var isOpen = false
    /// The host name of this device if the terminal is connected over ssh.
    var remoteHost: String?

    var text: String {
        guard !isOpen else {
            return "\n  Waiting for your browser. If no page appears, open this one:\n\(address)\n"
        }
        let page = "\n  Open this page in a browser on this device:\n\(address)"
        guard let port = Self.answerPort(of: url) else { return page + "\n" }
        let why =
            "\n  A phone cannot be used: the response is sent to this device, to port \(port).\n"
        guard let remoteHost else { return page + why + "\n" }
        let forward =
            "  From the computer before you, forward the port, and open the page there:\n"
            + "\n    ssh -L \(port):127.0.0.1:\(port) \(TerminalText.safe(remoteHost))\n"
        return page + why + forward + "\n"
    }

    private var address: String { "\n    \(TerminalText.safe(url, limit: 2048))\n" }

    /// The port of loopback to which the answer comes: of the page itself, or where it redirects.
    static func answerPort(of url: String) -> Int? {
        guard let page = URLComponents(string: url) else { return nil }
        let target = page.queryItems?.first { $0.name == "redirect_uri" }?.value
        return [page, target.flatMap { URLComponents(string: $0) }].lazy.compactMap { $0 }
            .first { $0.scheme == "http" && $0.host == "127.0.0.1" }?.port
    }
}
