import type { ByteRange } from '../blobs/blob-store.ts'

export type RequestedRange = ByteRange & { isPart: boolean }

/**
 * The part of `size` bytes that a `Range` header asks for (RFC 9110, section 14). Without one, with several or with one
 * that cannot be understood it is the whole; a single one beyond the end is 'unsatisfiable'.
 */
export function parseRange(header: string | undefined, size: number): RequestedRange | 'unsatisfiable' {
  const whole = { start: 0, end: size - 1, isPart: false }
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match) return whole
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return whole
  if (first === '') {
    const length = Number(last)
    if (length === 0 || size === 0) return 'unsatisfiable'
    return { start: Math.max(0, size - length), end: size - 1, isPart: true }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return whole
  if (start >= size) return 'unsatisfiable'
  return { start, end, isPart: true }
}
