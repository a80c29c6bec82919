// SPDX-License-Identifier: Apache-2.0

/// A short description of a browser and its system: "Firefox on Linux".
///
/// It is derived from `User-Agent`, which the peer chooses, so it only helps people to recognise a
/// session. Unknown parts are omitted.
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

    /// Most browsers also contain the names of others, so the more specific ones come first.
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
