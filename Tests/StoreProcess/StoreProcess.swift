// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting

/// One of several processes that share a store: counts in it.
///
///     store-process DIRECTORY beside|TPM TIMES
@main struct StoreProcess {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4, let times = Int(words[3]) else {
            throw CredentialStoreKit.Failure(description: "DIRECTORY beside|TPM TIMES")
        }
        let store = FileCredentialStore(
            directory: words[1],
            sealedWith: words[2] == "beside" ? .besideRecords : .tpm(path: words[2]))
        try await CredentialStoreKit.count(in: store, times: times)
    }
}
