import { MEBIBYTE } from '@alcove/contract/limits'
import { expect, it } from 'vitest'
import { planDrawing } from './thumbnail-maker.ts'

const GIBIBYTE = 1024 * MEBIBYTE

it('at least two processes draw, so that nobody has them all, and half of the cores where there are many', () => {
  expect([1, 2, 4, 16].map((cores) => planDrawing(cores, 8 * GIBIBYTE).size)).toEqual([2, 2, 2, 8])
})

it('with little memory one process draws, and may take less', () => {
  const small = planDrawing(4, 256 * MEBIBYTE)
  expect(small).toEqual({ size: 1, maxMemory: (688 + 64) * MEBIBYTE })
  expect(planDrawing(4, 64 * GIBIBYTE).maxMemory).toBe(1536 * MEBIBYTE)
})
