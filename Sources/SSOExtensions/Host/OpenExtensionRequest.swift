// SPDX-License-Identifier: Apache-2.0
import SingleSignOn

/// A request that an extension has and has not answered.
struct OpenExtensionRequest {
    let request: ExtensionHostRequest
    let calls: any ExtensionCallHandler
    let waiter: CheckedContinuation<Result<ExtensionResponse, ExtensionError>, Never>
    /// Ends it when it takes too long.
    var deadline: Task<Void, Never>?
    /// Whether something is shown in it.
    var isPresented = false
    /// What the agent is doing for it now.
    var calling: [UInt64: Task<Void, Never>] = [:]

    /// Nobody waits any longer, and nothing is done for it any more.
    func close(_ result: Result<ExtensionResponse, ExtensionError>) {
        deadline?.cancel()
        for task in calling.values { task.cancel() }
        waiter.resume(returning: result)
    }
}
