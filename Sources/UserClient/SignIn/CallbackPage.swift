// SPDX-License-Identifier: Apache-2.0

/// The page that the browser displays at the end of a sign-in or sign-out of a program. It
/// contains no data from the request.
enum CallbackPage {
    static func finished(_ answer: [String: String]) -> String {
        if answer["error"] != nil {
            return page(
                "You are not signed in",
                "You can close this window. The program that you started shows the reason.")
        }
        // Only a sign-in has a code to redeem.
        return page(
            answer["code"] == nil ? "You are signed out" : "You are signed in",
            "You can close this window and go back to the program that you started.")
    }

    static let foreign = page(
        "This page belongs to another sign-in",
        "Go back to the program that you started, and sign in again.")

    static let unknown = page("There is nothing here", "You can close this window.")

    private static func page(_ title: String, _ text: String) -> String {
        LoopbackPage.html(
            title, style: "h1 { font-size: 1.5rem; font-weight: 600; margin: 0 0 .5rem }",
            body: "<h1>\(title)</h1>\n<p>\(text)</p>")
    }
}
