// SPDX-License-Identifier: Apache-2.0
import HTTPServer

extension FuzzTarget {
    /// A form has at most the maximum number of values, none with a NUL, and parsing is
    /// deterministic.
    static let form = FuzzTarget(name: "form") { bytes in
        guard let form = try? FormParameters(bytes) else { return }
        precondition(form.values.count <= FormParameters.maximumCount, "more values than allowed")
        for (name, value) in form.values {
            precondition(!name.utf8.contains(0) && !value.utf8.contains(0), "a NUL came through")
        }
        precondition((try? FormParameters(bytes)) == form, "a form is read in two ways")
    }

    /// The first line of the input is a name, the rest a `Cookie` field.
    static let cookies = FuzzTarget(name: "cookies") { bytes in
        let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(decoding: parts.first ?? [], as: UTF8.self)
        let field = String(decoding: parts.dropFirst().first ?? [], as: UTF8.self)
        guard let value = RequestCookies([field])[name] else { return }
        precondition(value.utf8.count <= 4096, "a value is too long")
        precondition(value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a value has a foreign byte")
        precondition(RequestCookies([field, field])[name] == nil, "a repeated name has a value")
    }

    /// Whatever is asked for belongs to one project and one path.
    static let requestTarget = FuzzTarget(name: "request-target") { bytes in
        let target = RequestTarget(String(decoding: bytes, as: UTF8.self))
        precondition(!target.project.isEmpty, "a target of no project")
        _ = AcceptLanguage.parse(String(decoding: bytes, as: UTF8.self))
    }
}
