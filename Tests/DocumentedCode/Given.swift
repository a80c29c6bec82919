// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

/// What a reader of the SDK's documentation has: the pieces of code there speak of it and do not make
/// it. It is only compiled.
func given<Value>() -> Value { while true {} }

let client: IdentityClient = given()
let configuration: ClientConfiguration = given()
let profile: Profile = given()
let session: UserSession = given()
let presenter: LoopbackPresenter = given()
let url: URL = given()
let (typed, token, scanned, key): (String, String, String, UUID) = given()

func ask(_ question: String) async -> String { given() }
func answer(to data: String?) async -> String { given() }
func answer(_ flow: ApprovalFlow) async throws {}
func show(_ request: ApprovalRequest) async -> Bool { given() }
func show(_ words: String, offersRetry: Bool) {}
func showDone() {}
func showRegistration() {}
func log(_ words: String) {}
func typedPIN() async -> String { given() }
func words(for code: IdentityError.Code) -> String { given() }
func emptyFolder() -> String { given() }
