import { extensionOf } from '@alcove/contract/file-types'
import type { File as StoredFile } from '@alcove/contract/items'
import { useSyncExternalStore } from 'react'
import { getSession, subscribeToSession } from '../../api/session.ts'

/** The pictures that the vault shows once they were decrypted (specification, section 2). */
const PICTURES = ['jpg', 'jpeg', 'png', 'gif']
/** As many as anyone decrypts in a session; the oldest gives way. */
const MAX_KEPT = 500
const WIDTH = 512

const addresses = new Map<string, string>()
const listeners = new Set<() => void>()
let token = getSession().token

export function isVaultPicture({ name }: Pick<StoredFile, 'name'>): boolean {
  return PICTURES.includes(extensionOf(name))
}

/** Keeps a small picture of what was decrypted, in the memory of this tab. What no browser can draw has none. */
export async function rememberPicture(file: StoredFile, decrypted: Blob): Promise<void> {
  const key = keyOf(file)
  if (!isVaultPicture(file) || addresses.has(key)) return
  const small = await draw(decrypted).catch(() => undefined)
  if (!small || addresses.has(key)) return
  addresses.set(key, URL.createObjectURL(small))
  const [oldest] = addresses.keys()
  if (addresses.size > MAX_KEPT && oldest !== undefined) forget(oldest)
  tell()
}

/** The address of that picture. */
export function useDecryptedPicture(file: StoredFile): string | undefined {
  return useSyncExternalStore(subscribe, () => addresses.get(keyOf(file)))
}

async function draw(decrypted: Blob): Promise<Blob> {
  const picture = await createImageBitmap(decrypted)
  const scale = Math.min(1, WIDTH / picture.width)
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  )
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return canvas.convertToBlob({ type: 'image/webp', quality: 0.8 })
}

function keyOf({ id, updatedAt }: StoredFile): string {
  return `${id} ${updatedAt}`
}

function forget(key: string): void {
  URL.revokeObjectURL(addresses.get(key) ?? '')
  addresses.delete(key)
}

function tell(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// The next user must find none of them.
subscribeToSession(() => {
  if (getSession().token === token) return
  token = getSession().token
  for (const key of [...addresses.keys()]) forget(key)
  tell()
})
