-- SPDX-License-Identifier: Apache-2.0
-- One form POST again and again: client credentials, introspection.
-- Arguments: Authorization header, form body, text that a right answer holds.
local report = require("report")
setup, done = report.setup, report.done
good, bad = 0, ""

function init(args)
    wrk.method = "POST"
    wrk.headers["Authorization"] = args[1]
    wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
    wrk.body = args[2]
    expected = args[3]
end

function response(status, headers, body)
    if status == 200 and body:find(expected, 1, true) then
        good = good + 1
    else
        bad = status .. " " .. body
    end
end
