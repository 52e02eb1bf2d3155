import { expect, it } from 'vitest'
import { describeMassDeletion } from './describe-mass-deletion.ts'

const at = (day: number, hour = 14) => new Date(2026, 10, day, hour, 30)
const group = { app: 'rclone', files: 1240, startedAt: at(25).toISOString(), keptUntil: at(30).toISOString() }

it('names the app, the number of files, the time, and until when they are kept', () => {
  expect(describeMassDeletion(group, at(25, 18))).toMatch(
    /^rclone deleted 1,240 files at (14|02):30( PM)?\. They are in the trash until (30 Nov|Nov 30)\.$/,
  )
})

it('names the day if that isn’t today', () => {
  expect(describeMassDeletion(group, at(26))).toMatch(/1,240 files on (25 Nov|Nov 25) at (14|02):30/)
})
