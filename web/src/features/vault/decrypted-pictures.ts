import { extensionOf } from '@alcove/contract/file-types'
import type { File as StoredFile } from '@alcove/contract/items'
import { onSessionChange } from '../../api/session.ts'
import { createStore, useStore } from '../../lib/store.ts'

/** The types of pictures that the vault shows once they are decrypted (specification, section 2). */
const PICTURES = ['jpg', 'jpeg', 'png', 'gif']
/** The number of pictures that are kept; beyond that, the oldest is dropped. */
const MAX_KEPT = 500
const WIDTH = 512

/** Addresses by file, the oldest first. */
const addresses = createStore<ReadonlyMap<string, string>>(new Map())

export function isVaultPicture({ name }: Pick<StoredFile, 'name'>): boolean {
  return PICTURES.includes(extensionOf(name))
}

/** Keeps a thumbnail of a decrypted picture in the memory of this tab, if the browser can draw it. */
export async function rememberPicture(file: StoredFile, decrypted: Blob): Promise<void> {
  const key = keyOf(file)
  if (!isVaultPicture(file) || addresses.get().has(key)) return
  const small = await draw(decrypted).catch(() => undefined)
  if (!small || addresses.get().has(key)) return
  const next = new Map(addresses.get()).set(key, URL.createObjectURL(small))
  const [oldest] = next
  if (next.size > MAX_KEPT && oldest) {
    URL.revokeObjectURL(oldest[1])
    next.delete(oldest[0])
  }
  addresses.set(next)
}

/** Returns the address of that thumbnail. */
export function useDecryptedPicture(file: StoredFile): string | undefined {
  return useStore(addresses, (all) => all.get(keyOf(file)))
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

// Another user of this tab must not see them.
onSessionChange(() => {
  for (const address of addresses.get().values()) URL.revokeObjectURL(address)
  addresses.set(new Map())
})
