// SPDX-License-Identifier: Apache-2.0
// Requirements for a new PIN, which the device checks because the PIN never leaves it.
import type { JSONObject } from "../core/jws.js";
import type { PINPolicy, PINViolation } from "../core/types.js";

/** ASCII digits for the digits of any script; `undefined` for other characters. */
export function digitsOf(typed: string): string | undefined {
  const isDigit = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code));
  let digits = "";
  for (const character of typed) {
    const code = character.codePointAt(0) ?? 0;
    if (!isDigit(code)) return undefined;
    // Digits of one script follow one another from zero, in groups of ten.
    let zero = code;
    while (zero > 0 && isDigit(zero - 1)) zero -= 1;
    digits += String((code - zero) % 10);
  }
  return digits;
}

/** Whether all digits follow one another with one step other than zero. */
function isSequence(digits: string): boolean {
  const steps = new Set([...digits].slice(1).map((digit, index) =>
    Number(digit) - Number(digits[index])));
  return steps.size === 1 && !steps.has(0);
}

/** The first rule that a new PIN breaks. */
export function violation(typed: string, policy: PINPolicy): PINViolation | undefined {
  const digits = digitsOf(typed);
  if (digits === undefined) return "digits";
  if (digits.length !== policy.length) return "length";
  if (policy.blocked.includes(digits)) return "blocked";
  if (!policy.allowsSequences && isSequence(digits)) return "sequence";
  const isRepeated = new RegExp(`(.)\\1{${policy.maximumRepeats}}`).test(digits);
  return isRepeated ? "repeats" : undefined;
}

/** The policy in a challenge; `undefined` if the project has no PINs. */
export function policyOf(pin: unknown): PINPolicy | undefined {
  const { use, policy } = (pin ?? {}) as { use?: unknown; policy?: JSONObject };
  if (policy === undefined || use === "off") return undefined;
  const { length, maximum_repeats: repeats, allows_sequences: allowsSequences, blocked } = policy;
  if (typeof length !== "number" || typeof repeats !== "number") return undefined;
  return Object.freeze({
    length, maximumRepeats: repeats, allowsSequences: allowsSequences === true,
    blocked: Array.isArray(blocked) ? blocked.map(String) : [],
  });
}
