// SPDX-License-Identifier: Apache-2.0

/// The frame of the pages that the loopback listener sends.
enum LoopbackPage {
    /// - Parameters:
    ///   - style: The additional style of this page.
    ///   - body: As HTML.
    static func html(_ title: String, style: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <style>
        body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 20vh auto;
               padding: 0 1.5rem }
        \(style)
        </style>
        </head>
        <body>
        \(body)
        </body>
        </html>
        """
    }
}
