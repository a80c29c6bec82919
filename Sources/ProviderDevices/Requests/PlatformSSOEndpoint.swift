// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives
package import ProviderCore
import ProviderTokens
import Storage

/// The endpoint for the signed requests of devices: login, refresh, key request and key exchange.
///
/// It identifies the device. ``DeviceCeremony`` has the other phases.
package struct PlatformSSOEndpoint: Sendable {
    private let context: CeremonyContext
    private let place: PlatformSSOEndpointInfo

    package init(_ context: CeremonyContext) {
        self.context = context
        place = PlatformSSOEndpointInfo(context.tenant)
    }

    /// The response to the device.
    package enum Response: Sendable {
        /// JSON with a nonce.
        case nonce([UInt8])
        /// A compact JWE.
        case sealed([UInt8], mediaType: String)
    }

    /// - Parameter fields: the fields of the form.
    package func respond(
        to fields: [(name: String, value: String)]
    ) async throws -> Result<Response, Refusal> {
        let form: RequestForm
        let request: UnverifiedRequest
        do throws(PlatformSSORefusal) {
            form = try RequestForm(fields.map { FormField($0.name, $0.value) })
            guard case .request(let version, let message) = form else {
                return .success(.nonce(NonceExchange.answer(context.nonces(for: .device).make())))
            }
            request = try UnverifiedRequest(compact: Array(message.utf8))
            if case .key = request, version != .v2 {
                throw PlatformSSORefusal(.versionUnsupported, "key requests are of version 2.0")
            }
        } catch {
            return try await refuse(error)
        }
        return try await dispatch(request)
    }

    private func dispatch(_ request: UnverifiedRequest) async throws -> Result<Response, Refusal> {
        let found = try await RegisteredDevice.find(
            request.message.signingKeyID, in: context.tenant, context.provider, now: context.now)
        guard let found else {
            return try await refuse(
                PlatformSSORefusal(.deviceUnknown, "no active device has that signing key"))
        }
        let client = try await PlatformSSOClient(
            provider: context.provider, tenant: context.tenant
        ).find()
        guard let client else {
            return try await refuse(PlatformSSORefusal(.clientMismatch, "client disabled"))
        }
        let call = DeviceRequestContext(
            context: context, place: place, registered: found, client: client)
        return switch request {
        case .login(let login): try await run(DeviceLogin(request: login), call)
        case .refresh(let refresh): try await run(DeviceRefresh(request: refresh), call)
        case .key(let key): try await run(DeviceKeyRequest(request: key), call)
        case .authorization:
            try await refuse(
                PlatformSSORefusal(
                    .grantUnsupported, "authorization requests are posted to authorize"))
        }
    }

    private func run(
        _ request: some DeviceRequest, _ call: DeviceRequestContext
    ) async throws -> Result<Response, Refusal> {
        try await CeremonyRunner(context).run(DeviceCeremony(request: request, call: call))
    }

    private func refuse(_ reason: PlatformSSORefusal) async throws -> Result<Response, Refusal> {
        .failure(try await context.refuseStranger(Refusal(reason), "device.request"))
    }
}
