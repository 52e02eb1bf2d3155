import { MAX_APP_PASSWORD_NAME } from '@alcove/contract/limits'
import { describeDevice, UNKNOWN_DEVICE } from '../../../platform/http/describe-device.ts'

const UNKNOWN_APP = 'Unknown app'
/** A client's header is shorter. */
const LOOKED_AT = 512

/** Control and format characters, which include direction marks; separators; what isn't a character. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Co}\p{Zl}\p{Zp}]/gu

/** Clients whose header is like a browser's: `Mozilla/5.0 (Linux) mirall/3.7.3git (Nextcloud, …)`. */
const clients: readonly (readonly [RegExp, string])[] = [
  [/\bmirall\/.*\bownCloud\b/i, 'ownCloud'],
  [/\bmirall\//i, 'Nextcloud'],
  [/\bnextcloud-(android|ios)\//i, 'Nextcloud'],
  [/\bowncloud(-android|app)\//i, 'ownCloud'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/^Mozilla\/5\.0 \(Windows\)/, 'Windows'],
  [/^Mozilla\/5\.0 \(Macintosh\)/, 'macOS'],
  [/^Mozilla\/5\.0 \(Android\)/, 'Android'],
  [/^Mozilla\/5\.0 \(iOS\)/, 'iOS'],
  [/^Mozilla\/5\.0 \((Linux|FreeBSD|X11)\)/, 'Linux'],
]

/**
 * Returns a name for the client that sent a user agent header, to be shown and stored. The desktop client and the apps send one that
 * is meant for people when they start a login flow: `work-laptop (Desktop Client - Linux)`. Anybody can send any name, so it has at
 * most as many characters as the name of an app password, and none that can't be seen.
 */
export function nameClient(userAgentHeader: string): string {
  const text = decode(userAgentHeader.slice(0, LOOKED_AT)).replace(NOT_SHOWN, ' ').replace(/\s+/g, ' ').trim()
  const name = /^Mozilla\//.test(text) ? nameBrowserLike(text) : text
  const visible = /[\p{L}\p{N}]/u.test(name) ? name : UNKNOWN_APP
  return [...visible].slice(0, MAX_APP_PASSWORD_NAME).join('').trim()
}

function nameBrowserLike(text: string): string {
  const client = clients.find(([pattern]) => pattern.test(text))?.[1]
  if (client === undefined) {
    const device = describeDevice(text)
    return device === UNKNOWN_DEVICE ? UNKNOWN_APP : device
  }
  const system = systems.find(([pattern]) => pattern.test(text))?.[1]
  return system ? `${client} for ${system}` : client
}

/** Node reads headers as Latin-1, but clients send UTF-8. */
function decode(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}
