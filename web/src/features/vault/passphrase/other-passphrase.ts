import type { File as StoredFile } from '@alcove/contract/items'
import { useEffect, useSyncExternalStore } from 'react'
import { getKnownPassphrase, opens, subscribeToKnownPassphrase } from './check-passphrase.ts'

/** Each check fetches 28 bytes and derives a key, so few run at once, and only for files on screen. */
const AT_ONCE = 2
/** A file that could not be checked, as without a network, is tried again after this many milliseconds while it is on screen. */
const RETRY_AFTER = 10_000
type MoveMarker = 'checking' | 'same' | 'other' | 'failed'

let marks = new Map<string, MoveMarker>()
let waiting: StoredFile[] = []
let running = 0
const listeners = new Set<() => void>()

/** Whether a file is encrypted under another passphrase than the one in the field; false until that is certain. */
export function useOtherPassphrase(file: StoredFile): boolean {
  const known = useSyncExternalStore(subscribeToKnownPassphrase, getKnownPassphrase)
  const mark = useSyncExternalStore(subscribe, () => marks.get(keyOf(file)))
  useEffect(() => {
    if (known === '' || mark !== undefined || file.vaultCheck === undefined) return
    waiting.push(file)
    checkNext()
    // Scrolled away before its turn came.
    return () => {
      waiting = waiting.filter((one) => one !== file)
    }
  }, [known, mark, file])
  return known !== '' && mark === 'other'
}

function checkNext(): void {
  const passphrase = getKnownPassphrase()
  while (passphrase !== '' && running < AT_ONCE) {
    const file = waiting.shift()
    if (!file) return
    if (!marks.has(keyOf(file))) void check(file, passphrase)
  }
}

async function check(file: StoredFile, passphrase: string): Promise<void> {
  const own = marks
  running += 1
  own.set(keyOf(file), 'checking')
  const result = await opens(file, passphrase).catch(() => 'failed' as const)
  running -= 1
  own.set(keyOf(file), result === 'failed' ? 'failed' : result === false ? 'other' : 'same')
  if (result === 'failed') setTimeout(() => forget(file, own), RETRY_AFTER)
  if (own === marks) tell()
  checkNext()
}

function forget(file: StoredFile, own: Map<string, MoveMarker>): void {
  own.delete(keyOf(file))
  if (own === marks) tell()
}

function keyOf({ id, updatedAt, vaultCheck }: StoredFile): string {
  return `${id} ${updatedAt} ${vaultCheck}`
}

function tell(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

subscribeToKnownPassphrase(() => {
  marks = new Map()
  waiting = []
  tell()
})
