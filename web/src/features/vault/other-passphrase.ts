import type { File as StoredFile } from '@alcove/contract/items'
import { useEffect, useSyncExternalStore } from 'react'
import { getKnownPassphrase, opens, subscribeToKnownPassphrase } from './judge-passphrase.ts'

/** Each check fetches 28 bytes and derives a key, so few run at once, and only for files on screen. */
const AT_ONCE = 2
/** A file that could not be checked is left alone until the passphrase changes. */
type Mark = 'checking' | 'same' | 'other'

let marks = new Map<string, Mark>()
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
  const isOpened = await opens(file, passphrase).catch(() => undefined)
  running -= 1
  own.set(keyOf(file), isOpened === false ? 'other' : 'same')
  if (own === marks) tell()
  checkNext()
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
