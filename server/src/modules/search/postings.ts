/** The distance between the first document ids of two segments. The initial migration uses this number too. */
export const SEGMENT_SIZE = 8192

/**
 * The most names in a segment. With more, a bitmap would not fit into SQLite's B-tree: of a row longer than 1002 bytes it puts a
 * part on a page of its own, of 4 KiB. Segments of earlier versions have up to 8192 names.
 */
export const MAX_NAMES = 7808

const WORDS = SEGMENT_SIZE / 32
/** The length of each bitmap of an earlier version. Bitmaps have an odd length now, and arrays have an even one. */
const OLD_BITMAP_BYTES = SEGMENT_SIZE / 8

/** A set of positions in a segment, one bit each. */
export type Places = Uint32Array

/** Packs positions in a segment of so many names for storage: two bytes each or a bitmap, whichever is smaller. */
export function packPostings(places: readonly number[], names: number): Uint8Array {
  const words = Math.ceil(names / 32)
  if (places.length * 2 < words * 4) return new Uint8Array(Uint16Array.from(places).buffer)
  const packed = new Uint8Array(words * 4 + 1)
  const bits = new Uint32Array(packed.buffer, 0, words)
  for (const place of places) addPlace(bits, place)
  return packed
}

// The loops below are plain, because a search goes through a million bits for each n-gram.

/** Removes positions that are not among the stored ones. */
export function keepStored(set: Places, stored: Uint8Array): void {
  if (stored.length % 2 === 1 || stored.length === OLD_BITMAP_BYTES) {
    const other = readWords(stored)
    for (let word = 0; word < other.length; word += 1) set[word] = (set[word] as number) & (other[word] as number)
    set.fill(0, other.length)
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
  const words = Math.floor(stored.length / Uint32Array.BYTES_PER_ELEMENT)
  const isAligned = stored.byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0
  return isAligned
    ? new Uint32Array(stored.buffer, stored.byteOffset, words)
    : new Uint32Array(copyOf(stored), 0, words)
}

/** Copies the bytes, because those from the database may not be aligned. */
function copyOf(stored: Uint8Array): ArrayBuffer {
  return new Uint8Array(stored).buffer
}

function addPlace(bits: Places, place: number): void {
  const word = place >>> 5
  bits[word] = (bits[word] as number) | (1 << (place & 31))
}
