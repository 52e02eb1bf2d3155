import { MEBIBYTE } from '@alcove/contract/limits'
import { expect, it } from 'vitest'
import { planDrawing } from './thumbnail-maker.ts'

const GIBIBYTE = 1024 * MEBIBYTE

it('draws in as many processes as half of the cores, but in at least two', () => {
  expect([1, 2, 4, 16].map((cores) => planDrawing(cores, 8 * GIBIBYTE).size)).toEqual([2, 2, 2, 8])
})

it('draws in one process with a lower memory limit on a machine with little memory', () => {
  const small = planDrawing(4, 256 * MEBIBYTE)
  expect(small).toEqual({ size: 1, maxMemory: (688 + 64) * MEBIBYTE })
  expect(planDrawing(4, 64 * GIBIBYTE).maxMemory).toBe(1536 * MEBIBYTE)
})
