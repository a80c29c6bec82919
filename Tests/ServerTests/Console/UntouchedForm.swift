// SPDX-License-Identifier: Apache-2.0

/// Forms of the console's pages, as they come.
enum UntouchedForm {
    /// What a browser would send of a form that nobody has touched.
    static func fields(of settings: String, in page: String) throws -> [String: String] {
        var fields = ["settings": settings]
        for match in page.matches(
            of: /<input id="([a-z-]+)-([a-z_0-9]+)" name="[a-z_0-9]+" value="([^"]*)"/)
        where match.output.1 == settings {
            fields[String(match.output.2)] = String(match.output.3)
        }
        for match in page.matches(of: /<select id="([a-z-]+)-([a-z_0-9]+)".*?<\/select>/)
        where match.output.1 == settings {
            let chosen = match.output.0.firstMatch(of: /value="([^"]*)" selected/)
            fields[String(match.output.2)] = chosen.map { String($0.output.1) } ?? ""
        }
        for match in page.matches(of: /<textarea id="([a-z-]+)-([a-z_0-9]+)"[^>]*>([^<]*)</)
        where match.output.1 == settings {
            fields[String(match.output.2)] = String(match.output.3)
        }
        for match in page.matches(
            of:
                /<input type="checkbox" id="([a-z-]+)-([a-z_0-9]+)" name="[a-z_0-9]+" value="1" checked/
        )
        where match.output.1 == settings {
            fields[String(match.output.2)] = "1"
        }
        for match in page.matches(
            of: /<input type="hidden" id="([a-z-]+)-([a-z_0-9]+)" name="[a-z_0-9]+" value="">/)
        where match.output.1 == settings {
            fields[String(match.output.2)] = ""
        }
        for match in page.matches(
            of:
                /<input type="checkbox" id="([a-z-]+)-([a-z_0-9]+\.[^"]+)"[^>]* checked/
        )
        where match.output.1 == settings {
            fields[String(match.output.2)] = "1"
        }
        return fields
    }
}
