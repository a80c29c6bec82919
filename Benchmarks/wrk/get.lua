-- SPDX-License-Identifier: Apache-2.0
-- One GET again and again. Good: 200.
local report = require("report")
setup, done = report.setup, report.done
good, bad = 0, ""

function response(status, headers, body)
    if status == 200 then good = good + 1 else bad = status .. " " .. body end
end
