-- SPDX-License-Identifier: Apache-2.0
-- Password sign-in: one POST of the sign-in form, each time as the next person.
-- Arguments: content type, header lines separated by "|", body with %d for the person's number,
-- number of persons, expected status.
local report = require("report")
setup, done = report.setup, report.done
good, bad = 0, ""
local body, people, person, expected

function init(args)
    wrk.headers["Content-Type"] = args[1]
    for name, value in args[2]:gmatch("([^:|]+): ([^|]+)") do wrk.headers[name] = value end
    body, people, expected = args[3], tonumber(args[4]), tonumber(args[5])
    person = number * 7
end

function request()
    person = (person + 1) % people
    -- Each sign-in seems to come from a house of its own: limits for an address are not measured.
    wrk.headers["X-Forwarded-For"] = "10." .. math.random(0, 255) .. "." ..
        math.random(0, 255) .. "." .. math.random(1, 254)
    return wrk.format("POST", nil, nil, (body:gsub("%%d", person)))
end

function response(status, headers, text)
    if status == expected and (headers["Set-Cookie"] or headers["set-cookie"]) then
        good = good + 1
    else
        bad = status .. " " .. text
    end
end
