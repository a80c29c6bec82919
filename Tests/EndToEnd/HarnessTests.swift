// SPDX-License-Identifier: Apache-2.0
import Testing

extension EndToEnd {
    /// The instruments themselves, so that a broken one is not taken for a broken server.
    @Suite("The instruments")
    struct Instruments {
        @Test("a form is read with its hidden fields and its action")
        func form() throws {
            let page = """
                <form method="post" action="/sign-in?a=1&amp;b=2"><input type="hidden" \
                name="continue" value="h&quot;1"><input name="username" type="text">\
                <button name="allow">Yes</button></form>
                """
            let form = try #require(HTMLForm.forms(in: page).first)
            #expect(form.action == "/sign-in?a=1&b=2")
            #expect(form.preset.map(\.1) == ["h\"1"])
            #expect(form.has("username") && form.has("allow") && !form.has("password"))
        }

        @Test("JSON booleans stay apart from numbers")
        func json() throws {
            let value = try JSON(parsing: Array(#"{"a":true,"b":1,"c":[null,"x"],"d":0}"#.utf8))
            #expect(value["a"] == true)
            #expect(value["b"] == 1)
            #expect(value["d"] == 0)
            #expect(value["c"][1].string == "x")
            #expect(value["zz"].isNull)
        }

        @Test(
            "the browser opens a page, dark and German",
            .enabled(if: WebDriver.isInstalled, "needs chromium and chromedriver"))
        func browser() async throws {
            let browser = try await WebDriver(.init(language: "de-DE", dark: true))
            try await browser.open("data:text/html,<title>T</title><p>Hello")
            #expect(try await browser.text == "Hello")
            let dark = "return matchMedia('(prefers-color-scheme: dark)').matches"
            #expect(try await browser.run(dark) == true)
            #expect(try await browser.run("return navigator.language").string == "de-DE")
            await browser.quit()
        }
    }
}
