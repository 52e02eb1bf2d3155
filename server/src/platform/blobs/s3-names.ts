/** What our objects are called in the bucket. */
export const BLOBS = 'blobs/'
export const CHUNKS = 'chunks/'

export function blobName(key: string): string {
  return BLOBS + key
}

/** Before each chunk of a blob that is not a part of its upload. */
export function chunksOf(key: string): string {
  return `${CHUNKS}${key}/`
}

export function chunkName(key: string, index: number): string {
  return chunksOf(key) + index
}

/** Whether we have made it: what else lies in the bucket is none of our business. */
export function isOurs(name: string): boolean {
  return /^(blobs\/[0-9a-f-]{36}|chunks\/[0-9a-f-]{36}\/\d+)$/.test(name)
}

/** The blob that an object is, or is a chunk of. */
export function keyOfName(name: string): string {
  return name.split('/')[1] as string
}
