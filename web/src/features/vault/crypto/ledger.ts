import type { EncryptedChunk } from './encrypt-chunk.ts'
import type { FieldElement } from './field.ts'
import { VaultFailure } from './vault-failure.ts'

/** What was made of the stretches of a file under one seal. */
export interface Ledger {
  /** Of the stretch of that chunk; undefined while it has not been encrypted. */
  sumOf(index: number): FieldElement | undefined
  /** Throws `changed` where a chunk differs from what was noted of it, or of its neighbours, before. */
  note(index: number, chunk: EncryptedChunk): void
}

/**
 * Remembers what each stretch was encrypted to, by its sum: another file under the same key and IV would betray both. A
 * stretch whose bytes differ has another sum, but for once in 2^108 times.
 */
export function createLedger(): Ledger {
  const sums = new Map<number, FieldElement>()
  const heads = new Map<number, string>()

  function assertSame<T>(known: Map<number, T>, index: number, value: T): void {
    if (known.has(index) && known.get(index) !== value) throw new VaultFailure('changed')
    known.set(index, value)
  }

  return {
    sumOf: (index) => sums.get(index),
    note(index, { sum, head, edge }) {
      assertSame(sums, index, sum)
      if (head) assertSame(heads, index, head)
      if (edge) assertSame(heads, index + 1, edge)
    },
  }
}
