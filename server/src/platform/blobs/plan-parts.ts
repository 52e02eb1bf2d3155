/** What an object store takes as a part of a multipart upload, unless it is the last one. */
const MIN_PART = 5 * 1024 * 1024
/** What is copied goes in parts of about this size. */
const COPIED_PART = 16 * 1024 * 1024

/** A chunk at the time when its blob is sealed: a part already, or something that has to be made a part. */
export interface Piece {
  readonly size: number
  /** What the store calls the part that the chunk is; undefined where its bytes have to be copied. */
  readonly etag: string | undefined
}

/** A part of the blob: one that is there, or the pieces (by their numbers, from `first` up to `end`) that make one. */
export type PlannedPart =
  | { readonly number: number; readonly etag: string }
  | { readonly number: number; readonly first: number; readonly end: number; readonly size: number }

/**
 * Whether a chunk can be sent as a part at once. Not below the least size; and not where what stands before it is less
 * than a part, since that must become one of its own.
 */
export function isPart(offset: number | undefined, size: number): boolean {
  return offset !== undefined && size >= MIN_PART && (offset === 0 || offset >= MIN_PART)
}

/**
 * How the pieces become parts: those that are parts stay what they are, a run of others is gathered into parts of about
 * 16 MiB, none but the last of the blob below the least size. A part is numbered after its first piece.
 */
export function planParts(pieces: readonly Piece[]): PlannedPart[] {
  const parts: PlannedPart[] = []
  for (let first = 0; first < pieces.length; ) {
    const etag = pieces[first]?.etag
    if (etag !== undefined) {
      parts.push({ number: first + 1, etag })
      first++
      continue
    }
    let runEnd = first
    while (runEnd < pieces.length && pieces[runEnd]?.etag === undefined) runEnd++
    const least = runEnd === pieces.length ? 1 : MIN_PART
    gather(pieces, { first, end: runEnd, least }, parts)
    first = runEnd
  }
  return parts
}

interface Run {
  first: number
  end: number
  /** What the last part of the run must have. */
  least: number
}

function gather(pieces: readonly Piece[], run: Run, parts: PlannedPart[]): void {
  let left = pieces.slice(run.first, run.end).reduce((sum, piece) => sum + piece.size, 0)
  let { first } = run
  let size = 0
  for (let index = run.first; index < run.end; index++) {
    const piece = pieces[index]?.size ?? 0
    size += piece
    left -= piece
    if (left > 0 && (size < COPIED_PART || left < run.least)) continue
    // An empty last chunk adds nothing; an empty blob is one empty part.
    if (size > 0 || parts.length === 0) parts.push({ number: first + 1, first, end: index + 1, size })
    first = index + 1
    size = 0
  }
}
