// SPDX-License-Identifier: Apache-2.0
import Testing

/// Forms of the console's pages, as they come.
enum UntouchedForm {
    /// Returns the fields that a browser submits for an unchanged form.
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

    /// The same by where the form goes, with what it carries unseen.
    static func fields(to action: String, in page: String) throws -> [String: String] {
        let forms = page.matches(
            of: /<form [^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/.dotMatchesNewlines())
        let found = forms.first { $0.output.1 == action }
        let form = try #require(found, "a form that goes to \(action)").output.2
        var fields: [String: String] = [:]
        for input in form.matches(of: /<input [^>]*>/) {
            let text = input.output
            guard let name = text.firstMatch(of: /\ name="([^"]*)"/)?.output.1,
                !["checkbox", "radio"].contains(where: { text.contains("type=\"\($0)\"") })
                    || text.contains(" checked")
            else { continue }
            fields[String(name)] = String(
                text.firstMatch(of: /\ value="([^"]*)"/)?.output.1 ?? "")
        }
        for area in form.matches(of: /<textarea [^>]*name="([^"]*)"[^>]*>([^<]*)</) {
            fields[String(area.output.1)] = String(area.output.2)
        }
        for choice in form.matches(
            of: /<select [^>]*name="([^"]*)".*?<\/select>/.dotMatchesNewlines())
        {
            let chosen = choice.output.0.firstMatch(of: /value="([^"]*)" selected/)
            fields[String(choice.output.1)] = chosen.map { String($0.output.1) } ?? ""
        }
        return fields
    }
}
