import type { File } from '@alcove/contract/items'
import { useSyncExternalStore } from 'react'
import { failureMessage } from '../failure-message.ts'
import { needPassphrase } from '../passphrase/ask-passphrase.ts'
import { subscribeToPassphrase } from '../passphrase/passphrase.ts'
import { exportFileKey } from './export-file-key.ts'

/** The key of a file for its link, or that it is being derived. */
type LinkKey = 'deriving' | { readonly key: string }

/** Kept apart from the dialog, which gives way while the passphrase is asked for. */
const keys = new Map<string, LinkKey>()
const listeners = new Set<() => void>()

/** Has the key of a file derived, and asks for the passphrase if need be. */
export async function makeLinkKey(file: File): Promise<void> {
  const passphrase = await needPassphrase()
  if (passphrase === undefined || keys.has(file.id)) return
  set(file.id, 'deriving')
  try {
    set(file.id, { key: await exportFileKey(file, passphrase) })
  } catch (error) {
    set(file.id, undefined)
    failureMessage(error)
  }
}

export function useLinkKey({ id }: File): LinkKey | undefined {
  return useSyncExternalStore(subscribe, () => keys.get(id))
}

function set(id: string, state: LinkKey | undefined): void {
  if (state) keys.set(id, state)
  else keys.delete(id)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

subscribeToPassphrase(() => {
  for (const id of [...keys.keys()]) set(id, undefined)
})
