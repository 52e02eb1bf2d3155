import { expect, test } from 'vitest'
import { createSpeedMeter } from './speed-meter.ts'

test('measures the speed of a steady stream', () => {
  const meter = createSpeedMeter()
  for (let time = 0; time <= 10_000; time += 50) meter.add(500, time)
  expect(meter.read(10_000)).toBeCloseTo(10_000, -3)
})

test('does not extrapolate a burst at the start to a higher speed', () => {
  const meter = createSpeedMeter()
  meter.add(5000, 0)
  expect(meter.read(1)).toBe(5000)
})

test('lowers the speed to zero after the stream stops', () => {
  const meter = createSpeedMeter()
  for (let time = 0; time <= 3000; time += 100) meter.add(100, time)
  expect(meter.read(5500)).toBeLessThan(meter.read(3000))
  expect(meter.read(9000)).toBe(0)
})

test('never reports a negative speed when sent bytes are discarded', () => {
  const meter = createSpeedMeter()
  meter.add(1000, 0)
  meter.add(-5000, 500)
  expect(meter.read(600)).toBe(0)
})
