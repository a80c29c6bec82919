// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient
import GatehouseTesting

/// One of several processes that share a store: it increments a counter, or starts a sign-in in a
/// browser and waits for a response that never arrives.
///
///     store-process DIRECTORY file|TPM TIMES
///     store-process DIRECTORY browser
@main struct StoreProcess {
    static func main() async throws {
        let words = CommandLine.arguments
        if words.count == 3, words[2] == "browser" { return try await waitForBrowser(words[1]) }
        guard words.count == 4, let times = Int(words[3]) else {
            throw SecureStoreConformance.ConformanceError(
                description: "DIRECTORY file|TPM TIMES, or browser")
        }
        let store = FileSecureStore(
            directory: words[1],
            sealedWith: words[2] == "file" ? .besideRecords : .tpm(path: words[2]))
        try await SecureStoreConformance.count(in: store, times: times)
    }

    /// Says `asked` when the key is made and the page is to be shown.
    private static func waitForBrowser(_ directory: String) async throws {
        let client = try await InProcessProvider().client(
            store: FileSecureStore(
                directory: directory + "/records", sealedWith: .besideRecords),
            keys: FileKeyStore(directory: directory + "/keys", sealedWith: .besideRecords))
        _ = try await client.signIn(with: SilentBrowser())
    }
}

/// A browser that does not respond.
private struct SilentBrowser: BrowserPresenter {
    func answer(to request: BrowserRequest) async throws -> BrowserResponse {
        FileHandle.standardOutput.write(Data("asked\n".utf8))
        return try await OneShotContinuation<BrowserResponse>().answer()
    }
}
