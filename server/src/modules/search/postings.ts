/** The most names in a segment. The initial migration uses this number too. */
export const SEGMENT_SIZE = 8192

const WORDS = SEGMENT_SIZE / 32
const BITMAP_BYTES = SEGMENT_SIZE / 8

/** A set of positions in a segment, one bit each. */
export type Places = Uint32Array

/** Packs positions for storage: two bytes each or a bitmap, whichever is smaller. */
export function packPostings(places: readonly number[]): Uint8Array {
  if (places.length * 2 < BITMAP_BYTES) return new Uint8Array(Uint16Array.from(places).buffer)
  const bits = new Uint32Array(WORDS)
  for (const place of places) addPlace(bits, place)
  return new Uint8Array(bits.buffer)
}

// The loops below are plain, because a search goes through a million bits for each n-gram.

/** Removes positions that are not among the stored ones. */
export function keepStored(set: Places, stored: Uint8Array): void {
  if (stored.length === BITMAP_BYTES) {
    const other = readWords(stored)
    for (let word = 0; word < WORDS; word += 1) set[word] = (set[word] as number) & (other[word] as number)
    return
  }
  const kept = new Uint32Array(WORDS)
  for (const place of new Uint16Array(copyOf(stored))) {
    if (((set[place >>> 5] as number) & (1 << (place & 31))) !== 0) addPlace(kept, place)
  }
  set.set(kept)
}

export function everyPlace(): Places {
  return new Uint32Array(WORDS).fill(0xffffffff)
}

export function isEmpty(set: Places): boolean {
  for (let word = 0; word < WORDS; word += 1) if (set[word] !== 0) return false
  return true
}

/** Removes positions that are in another set. */
export function leaveOut(set: Places, other: Places): Places {
  const rest = new Uint32Array(WORDS)
  for (let word = 0; word < WORDS; word += 1) rest[word] = (set[word] as number) & ~(other[word] as number)
  return rest
}

/** Yields the positions of a set, last ones first. */
export function listPlaces(set: Places): number[] {
  const places: number[] = []
  for (let word = WORDS - 1; word >= 0; word -= 1) {
    for (let rest = set[word] as number; rest !== 0; ) {
      const bit = 31 - Math.clz32(rest)
      places.push(word * 32 + bit)
      rest ^= 1 << bit
    }
  }
  return places
}

function readWords(stored: Uint8Array): Uint32Array {
  const isAligned = stored.byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0
  return isAligned ? new Uint32Array(stored.buffer, stored.byteOffset, WORDS) : new Uint32Array(copyOf(stored))
}

/** Copies the bytes, because those from the database may not be aligned. */
function copyOf(stored: Uint8Array): ArrayBuffer {
  return new Uint8Array(stored).buffer
}

function addPlace(bits: Places, place: number): void {
  const word = place >>> 5
  bits[word] = (bits[word] as number) | (1 << (place & 31))
}
