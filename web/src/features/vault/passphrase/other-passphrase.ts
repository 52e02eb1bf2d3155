import type { File as StoredFile } from '@alcove/contract/items'
import { useEffect } from 'react'
import { createStore, useStore } from '../../../lib/store.ts'
import { knownPassphrase, opens } from './check-passphrase.ts'

/** Each check fetches 28 bytes and derives a key, so few run at once, and only for files on screen. */
const MAX_RUNNING = 2
/** A file on screen whose check failed, for example without a network, is checked again after this delay. */
const RETRY_AFTER = 10_000
type CheckResult = 'checking' | 'same' | 'other' | 'failed'

const results = createStore<ReadonlyMap<string, CheckResult>>(new Map())
let waiting: StoredFile[] = []
let running = 0

/** Returns whether a file is encrypted under another passphrase than the one in the field; false until that is certain. */
export function useOtherPassphrase(file: StoredFile): boolean {
  const known = useStore(knownPassphrase)
  const result = useStore(results, (all) => all.get(keyOf(file)))
  useEffect(() => {
    if (known === '' || result !== undefined || file.vaultCheck === undefined) return
    waiting.push(file)
    checkNext()
    // The file was scrolled out of view before it was checked.
    return () => {
      waiting = waiting.filter((one) => one !== file)
    }
  }, [known, result, file])
  return known !== '' && result === 'other'
}

function checkNext(): void {
  const passphrase = knownPassphrase.get()
  while (passphrase !== '' && running < MAX_RUNNING) {
    const file = waiting.shift()
    if (!file) return
    if (!results.get().has(keyOf(file))) void check(file, passphrase)
  }
}

async function check(file: StoredFile, passphrase: string): Promise<void> {
  running += 1
  setResult(file, 'checking')
  const isOpened = await opens(file, passphrase).catch(() => 'failed' as const)
  running -= 1
  // Results for another passphrase are gone.
  if (passphrase === knownPassphrase.get()) {
    setResult(file, isOpened === 'failed' ? 'failed' : isOpened === false ? 'other' : 'same')
    if (isOpened === 'failed') setTimeout(() => retry(file, passphrase), RETRY_AFTER)
  }
  checkNext()
}

function retry(file: StoredFile, passphrase: string): void {
  if (passphrase === knownPassphrase.get()) setResult(file, undefined)
}

function setResult(file: StoredFile, result: CheckResult | undefined): void {
  const next = new Map(results.get())
  if (result) next.set(keyOf(file), result)
  else next.delete(keyOf(file))
  results.set(next)
}

function keyOf({ id, updatedAt, vaultCheck }: StoredFile): string {
  return `${id} ${updatedAt} ${vaultCheck}`
}

knownPassphrase.subscribe(() => {
  waiting = []
  results.set(new Map())
})
