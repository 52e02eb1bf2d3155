import { MAX_PROVIDER_GROUP_NAME_LENGTH, MAX_PROVIDER_GROUPS } from '@alcove/contract/limits'
import type { ConfiguredProvider } from '@alcove/contract/single-sign-on'

/** Returns whether folders can be shared with a group of the provider. `*` in the setting stands for any characters. */
export function isForSharing({ groups }: Pick<ConfiguredProvider, 'groups'>, name: string): boolean {
  return groups.some((pattern) => matches(pattern, name))
}

/** Takes linear time, unlike a regular expression made of a pattern with many asterisks. */
function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1) return name === pattern
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  const end = name.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

/**
 * Chooses the groups that are kept of those that a provider names: as many as one person can be in, in the order of their names, so that
 * each sign-in chooses the same. Returns how many are left out although the setting names them.
 */
export function chooseGroups(
  provider: Pick<ConfiguredProvider, 'groups'>,
  named: readonly string[],
): { names: string[]; ignored: number } {
  const wanted = [...new Set(named)].filter((name) => isForSharing(provider, name))
  const names = wanted.filter(isUsable).sort().slice(0, MAX_PROVIDER_GROUPS)
  return { names, ignored: wanted.length - names.length }
}

function isUsable(name: string): boolean {
  return (
    name.trim() !== '' &&
    [...name].length <= MAX_PROVIDER_GROUP_NAME_LENGTH &&
    // A database can't store the rest unchanged, so the name would never be found again.
    name.isWellFormed() &&
    !/\p{Cc}/u.test(name)
  )
}
