// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import OAuth

extension FuzzTarget {
    /// A signed answer is written and read back the same.
    static let approvalAnswer = FuzzTarget(name: "approval-answer") { bytes in
        guard let claims = try? JSONParser.parseObject(bytes, maximumBytes: 8192),
            let answer = SignedApprovalResponse(claims),
            let written = try? JSONParser.parseObject(answer.json, maximumBytes: 65_536)
        else { return }
        precondition(
            SignedApprovalResponse(written)?.isAbout(the: answer) == true,
            "does not survive writing")
    }

    /// What a client asks is read or refused, and what is shown stays within its bounds.
    static let backchannelRequest = FuzzTarget(name: "backchannel-request") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let form = ["scope": "openid", "login_hint": "anna", "binding_message": text]
        guard let request = try? BackchannelRequest(form: form) else { return }
        precondition(request.message.utf8.count <= BackchannelRequest.maximumMessageLength)
        precondition(!request.message.unicodeScalars.contains("\n"), "more than one line")
    }
}
