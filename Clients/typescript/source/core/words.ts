// SPDX-License-Identifier: Apache-2.0
// Messages for people, in English and German.
import type { ErrorCode, ErrorKind } from "./errors.js";

type Words = readonly [english: string, german: string];

const ofKind: Readonly<Record<ErrorKind, Words>> = {
  cancelled: ["You cancelled.", "Abgebrochen."],
  offline: [
    "The service cannot be reached. Try again later.",
    "Der Dienst ist nicht erreichbar. Versuchen Sie es später erneut.",
  ],
  signInNeeded: ["Sign in again.", "Melden Sie sich erneut an."],
  ended: [
    "Your registration on this device has ended. Register again.",
    "Ihre Registrierung auf diesem Gerät ist beendet. Registrieren Sie sich erneut.",
  ],
  pin: ["Choose another PIN.", "Wählen Sie eine andere PIN."],
  refused: ["The service refused the request.", "Der Dienst hat die Anfrage abgelehnt."],
  outdated: ["Update this app to continue.", "Aktualisieren Sie diese App, um fortzufahren."],
  storage: [
    "The data of this app cannot be read on this device.",
    "Die Daten dieser App sind auf diesem Gerät nicht lesbar.",
  ],
  misconfigured: [
    "This app is not set up correctly. Contact its provider.",
    "Diese App ist nicht richtig eingerichtet. Wenden Sie sich an ihren Anbieter.",
  ],
};

const ofCode: Readonly<Partial<Record<ErrorCode, Words>>> = {
  tooManyRequests: [
    "Too many attempts. Try again later.", "Zu viele Versuche. Versuchen Sie es später erneut.",
  ],
  profileLocked: [
    "Too many wrong PINs. Register again.", "Zu viele falsche PINs. Registrieren Sie sich erneut.",
  ],
  expired: [
    "This took too long. Try again.", "Das hat zu lange gedauert. Versuchen Sie es erneut.",
  ],
  wrongPerson: [
    "Another person signed in. Sign in with the same account.",
    "Eine andere Person hat sich angemeldet. Melden Sie sich mit demselben Konto an.",
  ],
  stepUpRefused: [
    "This needs a stronger sign-in, for example with a passkey.",
    "Dafür ist eine stärkere Anmeldung nötig, zum Beispiel mit einem Passkey.",
  ],
  notAuthorized: ["You are not allowed to do this.", "Sie sind dazu nicht berechtigt."],
};

const ofDevice = (): string =>
  globalThis.navigator?.language ?? Intl.DateTimeFormat().resolvedOptions().locale;

/** @internal */
export function wordsOf(code: ErrorCode, kind: ErrorKind, language = ofDevice()): string {
  const words = ofCode[code] ?? ofKind[kind];
  return words[/^de\b/i.test(language) ? 1 : 0];
}
