// SPDX-License-Identifier: Apache-2.0
import SingleSignOn

/// A request that an extension has not completed.
struct OpenExtensionRequest {
    let request: ExtensionHostRequest
    let calls: any ExtensionCallHandler
    let waiter: CheckedContinuation<Result<ExtensionResponse, ExtensionError>, Never>
    /// Ends the request after its time limit.
    var deadline: Task<Void, Never>?
    /// Whether the extension displays something.
    var isPresented = false
    /// The agent's running calls for the request.
    var calling: [UInt64: Task<Void, Never>] = [:]

    /// Completes the request and cancels its calls.
    func close(_ result: Result<ExtensionResponse, ExtensionError>) {
        deadline?.cancel()
        for task in calling.values { task.cancel() }
        waiter.resume(returning: result)
    }
}
