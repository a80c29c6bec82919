// SPDX-License-Identifier: Apache-2.0

/// Browser and system in words, for a person to recognise: "Firefox on Linux".
///
/// Reads `User-Agent`, which is whatever the peer says: never a fact, only a memory aid. It names
/// what it knows and says nothing of the rest.
package enum UserAgentDescription {
    package static func describe(userAgent: String) -> String {
        let agent = String(userAgent.prefix(512))
        switch (first(of: browsers, in: agent), first(of: systems, in: agent)) {
        case (let browser?, let system?): return "\(browser) on \(system)"
        case (let browser?, nil): return browser
        case (nil, let system?): return system
        case (nil, nil): return ""
        }
    }

    /// Most browsers claim to be others as well: the particular ones come first.
    private static let browsers = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"), ("Vivaldi/", "Vivaldi"), ("FxiOS/", "Firefox"),
        ("Firefox/", "Firefox"), ("CriOS/", "Chrome"), ("HeadlessChrome/", "Chrome"),
        ("Chromium/", "Chromium"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
        ("curl/", "curl"), ("gatehouse/", "Gatehouse"),
    ]

    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"),
        ("Windows", "Windows"), ("Macintosh", "Mac"), ("Linux", "Linux"), ("X11", "Unix"),
    ]

    private static func first(of words: [(String, String)], in agent: String) -> String? {
        words.first { agent.contains($0.0) }?.1
    }
}
