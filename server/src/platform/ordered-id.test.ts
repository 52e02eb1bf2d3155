import { describe, expect, it } from 'vitest'
import { orderedId } from './ordered-id.ts'

describe('orderedId', () => {
  it('returns different UUIDs of version 7 in order', () => {
    const ids = Array.from({ length: 2000 }, orderedId)
    expect([...new Set(ids)].sort()).toEqual(ids)
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  it('begins with the time', () => {
    const before = Date.now()
    const time = Number.parseInt(orderedId().replace('-', '').slice(0, 12), 16)
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now())
  })
})
