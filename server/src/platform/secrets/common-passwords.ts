import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { passwordRules } from '@alcove/contract/fields'

const require = createRequire(import.meta.url)

let loading: Promise<ReadonlySet<string>> | undefined

/**
 * Whether a password is one of the commonest, whatever the case of its letters. The list is read when the first password is
 * chosen, so that starting the server doesn't wait for it.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= loadList().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return (await loading).has(password.toLowerCase())
}

/** Reads the list, of which only the few are kept that meet the rules for passwords: all others are refused anyway. */
async function loadList(): Promise<ReadonlySet<string>> {
  const path = require.resolve('@zxcvbn-ts/language-common/src/passwords.json')
  const all = JSON.parse(await readFile(path, 'utf8')) as string[]
  return new Set(all.map((password) => password.toLowerCase()).filter(canMeetRules))
}

function canMeetRules(password: string): boolean {
  const upper = password.toUpperCase()
  return passwordRules.every((rule) => rule.isMet(password) || rule.isMet(upper))
}
