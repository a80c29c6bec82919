// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import JOSE
import Primitives

/// The folder `Web` of this target: templates, styles, scripts, translations.
package struct WebResources: Sendable {
    package struct Asset: Sendable {
        package let bytes: [UInt8]
        package let mediaType: String
        /// The first 16 hexadecimal digits of the content's SHA-256: the `v` of its URL, and its
        /// ETag.
        package let version: String
    }

    package let templates: [String: String]
    /// The templates, parsed.
    let renderer: PageRenderer
    package let assets: [String: Asset]
    package let translations: Translations
    /// Of the folder `client`.
    package let browserClient: BrowserClientModule

    package enum LoadError: Error, CustomStringConvertible {
        case missing(String)
        case unreadable(String)

        package var description: String {
            switch self {
            case .missing(let place):
                "the files of the pages are missing: \(place). Install the folder of the pages next to the program"
            case .unreadable(let name): "a file of the pages cannot be read: \(name)"
            }
        }
    }

    /// Returns the files that were built into the program. A process reads them once.
    package init() throws { self = try Self.builtIn.get() }

    private static let builtIn = Result { try WebResources(path: builtInFolder) }

    /// Reads the files of a folder.
    package init(path root: String) throws {
        templates = try Self.files(in: "\(root)/templates", ending: ".mustache")
            .mapValues { String(decoding: $0, as: UTF8.self) }
        renderer = try PageRenderer(templates)
        let types = ["css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"]
        var assets: [String: Asset] = [:]
        for (ending, type) in types {
            for (name, bytes) in try Self.files(in: "\(root)/assets", ending: ".\(ending)") {
                assets["\(name).\(ending)"] = Asset(
                    bytes: bytes, mediaType: "\(type); charset=utf-8",
                    version: Self.version(of: bytes))
            }
        }
        self.assets = assets
        translations = try Translations(
            Self.files(in: "\(root)/translations", ending: ".json"))
        browserClient = try BrowserClientModule(
            parts: Self.files(in: "\(root)/client", ending: ".js"),
            types: Self.files(in: "\(root)/client", ending: ".d.ts"))
    }

    /// Returns the first 16 hexadecimal digits of the content's SHA-256.
    static func version(of bytes: [UInt8]) -> String {
        Hexadecimal.encode(SHA256.hash(data: bytes).prefix(8))
    }

    /// The folder that is installed next to the program. `Bundle.module` would end the process without it.
    private static var builtInFolder: String {
        #if os(Linux)
            Bundle.main.bundlePath + "/gatehouse_WebPages.resources/Web"
        #else
            (Bundle.module.resourcePath ?? ".") + "/Web"
        #endif
    }

    private static func files(in folder: String, ending: String) throws -> [String: [UInt8]] {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: folder))?
            .filter { $0.hasSuffix(ending) } ?? []
        guard !names.isEmpty else { throw LoadError.missing(folder) }
        return try names.reduce(into: [:]) { files, name in
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                throw LoadError.unreadable(name)
            }
            files[String(name.dropLast(ending.count))] = Array(data)
        }
    }
}
