// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices

/// Where the person is asked.
@MainActor let window: ASPresentationAnchor = given()
