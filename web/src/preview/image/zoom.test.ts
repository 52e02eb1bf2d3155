import { describe, expect, it } from 'vitest'
import { fitScale, pan, type View, zoomTo } from './zoom.ts'

const picture = { width: 2000, height: 1000 }
const box = { width: 1000, height: 1000 }
const whole: View = { scale: 0.5, x: 0, y: 0, turns: 0 }

describe('fitScale', () => {
  it('fits a large picture into the box, rotated or not', () => {
    expect(fitScale(picture, box, 0)).toBe(0.5)
    expect(fitScale(picture, { width: 1000, height: 400 }, 1)).toBe(0.2)
  })

  it('enlarges small drawings, but not small pictures', () => {
    expect(fitScale({ width: 10, height: 10 }, box, 0)).toBe(1)
    expect(fitScale({ width: 10, height: 10 }, box, 0, true)).toBe(100)
  })

  it('returns 1 while the sizes are unknown', () => {
    expect(fitScale({ width: 0, height: 0 }, box, 0)).toBe(1)
  })
})

describe('zoomTo', () => {
  it('keeps the point under the pointer in place', () => {
    const point = { x: 200, y: 50 }
    const zoomed = zoomTo(whole, 2, point, picture, box, 0.5)
    expect((point.x - zoomed.x) / zoomed.scale).toBeCloseTo(point.x / whole.scale)
    expect((point.y - zoomed.y) / zoomed.scale).toBeCloseTo(point.y / whole.scale)
  })

  it('limits the scale to between the fitting scale and eight times the original size', () => {
    expect(zoomTo(whole, 0.01, { x: 0, y: 0 }, picture, box, 0.5).scale).toBe(0.5)
    expect(zoomTo(whole, 99, { x: 0, y: 0 }, picture, box, 0.5).scale).toBe(8)
  })

  it('centers the picture when all of it is visible again', () => {
    const zoomed = zoomTo(whole, 4, { x: 400, y: 0 }, picture, box, 0.5)
    expect(zoomTo(zoomed, 0.5, { x: -300, y: 20 }, picture, box, 0.5)).toEqual(whole)
  })
})

describe('pan', () => {
  it("stops at the edges and doesn't move a picture that is completely visible", () => {
    expect(pan({ ...whole, scale: 1 }, { x: 9999, y: 30 }, picture, box)).toEqual({ scale: 1, x: 500, y: 0, turns: 0 })
    expect(pan(whole, { x: -50, y: -50 }, picture, box)).toEqual(whole)
  })
})
