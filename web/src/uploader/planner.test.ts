import { FILE_CHUNK_SIZE, FOLDER_CHUNK_SIZE, MAX_CHUNK_SIZE, MAX_CHUNKS, MEBIBYTE } from '@alcove/contract/limits'
import { describe, expect, test } from 'vitest'
import { chunkLength, chunkRange, isSendable, planChunks } from './planner.ts'

describe('planChunks', () => {
  test('plans one empty chunk for an empty file', () => {
    const plan = planChunks(0, FILE_CHUNK_SIZE)
    expect(plan.totalChunks).toBe(1)
    expect(chunkRange(plan, 0)).toEqual({ start: 0, end: 0 })
  })

  test('plans one chunk for a file of the chunk size and two for one byte more', () => {
    expect(planChunks(FILE_CHUNK_SIZE, FILE_CHUNK_SIZE).totalChunks).toBe(1)
    expect(planChunks(FILE_CHUNK_SIZE + 1, FILE_CHUNK_SIZE).totalChunks).toBe(2)
  })

  test('plans chunks without gaps or overlaps and makes only the last one shorter', () => {
    const plan = planChunks(12 * MEBIBYTE + 7, FOLDER_CHUNK_SIZE)
    expect(plan.totalChunks).toBe(3)
    expect([0, 1, 2].map((index) => chunkLength(plan, index))).toEqual([
      FOLDER_CHUNK_SIZE,
      FOLDER_CHUNK_SIZE,
      2 * MEBIBYTE + 7,
    ])
    expect(chunkRange(plan, 1).start).toBe(chunkRange(plan, 0).end)
    expect(chunkRange(plan, 2).end).toBe(plan.size)
  })

  test('plans larger chunks for a file that would have too many of the preferred size', () => {
    const plan = planChunks(100_000 * MEBIBYTE, FOLDER_CHUNK_SIZE)
    expect(plan.chunkSize).toBe(10 * MEBIBYTE)
    expect(plan.totalChunks).toBe(MAX_CHUNKS)
  })

  test('accepts a file of the maximum size and rejects one that is one byte larger', () => {
    const greatest = planChunks(MAX_CHUNK_SIZE * MAX_CHUNKS, FILE_CHUNK_SIZE)
    expect(greatest.chunkSize).toBe(MAX_CHUNK_SIZE)
    expect(isSendable(greatest)).toBe(true)
    expect(isSendable(planChunks(MAX_CHUNK_SIZE * MAX_CHUNKS + 1, FILE_CHUNK_SIZE))).toBe(false)
  })
})
