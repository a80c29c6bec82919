// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The program of the release before this version.
enum PreviousRelease {
    /// The program that `PREVIOUS_GATEHOUSE` names, or that `Scripts/previous-release` has built, if
    /// that is of the newest release before this version.
    static var program: URL? { try? found.get() }

    /// Why there is no program.
    static var hint: String {
        guard case .failure(let missing) = found else { return "" }
        return "needs the program of the previous release: \(missing.reason)"
    }

    private struct Missing: Error { let reason: String }

    private static let found: Result<URL, Missing> = {
        if let named = ProcessInfo.processInfo.environment["PREVIOUS_GATEHOUSE"], !named.isEmpty {
            return .success(URL(filePath: named))
        }
        let script = Process()
        let (output, errors) = (Pipe(), Pipe())
        script.executableURL = Repository.root.appending(path: "Scripts/previous-release")
        script.arguments = ["--check"]
        (script.standardOutput, script.standardError) = (output, errors)
        do { try script.run() } catch {
            return .failure(Missing(reason: "make test-upgrade"))
        }
        let text = [output, errors].map { pipe in
            String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        script.waitUntilExit()
        return script.terminationStatus == 0
            ? .success(URL(filePath: text[0])) : .failure(Missing(reason: text[1]))
    }()
}
