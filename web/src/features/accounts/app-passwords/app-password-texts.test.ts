import { expect, test } from 'vitest'
import { formatDayWithYear } from '../../../lib/format.ts'
import { describeExpiry, describeReach, describeUse } from './app-password-texts.ts'

const now = new Date('2026-11-25T12:00:00Z')

test.each([
  ['2026-11-25T11:59:30Z', 'rclone, 203.0.113.7, just now'],
  // The clock of the browser is a little slow.
  ['2026-11-25T12:00:30Z', 'rclone, 203.0.113.7, just now'],
  ['2026-11-25T11:55:00Z', 'rclone, 203.0.113.7, 5 minutes ago'],
  ['2026-11-25T11:00:00Z', 'rclone, 203.0.113.7, 1 hour ago'],
  ['2026-11-22T12:00:00Z', 'rclone, 203.0.113.7, 3 days ago'],
  ['2026-05-02T12:00:00Z', `rclone, 203.0.113.7, on ${formatDayWithYear('2026-05-02T12:00:00Z')}`],
])('an app password used at %s was used by %s', (lastUsedAt, words) => {
  expect(describeUse({ lastUsedAt, app: 'rclone', ip: '203.0.113.7' }, now)).toBe(words)
})

test('leaves out an app or address that the server does not know', () => {
  expect(describeUse({ lastUsedAt: null, app: null, ip: null }, now)).toBe('Never used')
  expect(describeUse({ lastUsedAt: '2026-11-25T11:55:00Z', app: null, ip: null }, now)).toBe('5 minutes ago')
})

test.each([
  ['2027-04-12T12:00:00Z', '', false],
  ['2026-12-02T12:00:01Z', '', false],
  ['2026-12-02T12:00:00Z', ', in 7 days', true],
  ['2026-11-26T12:00:00Z', ', in 1 day', true],
  ['2026-11-25T14:10:00Z', ', in 3 hours', true],
])('marks an end at %s in its last seven days', (expiresAt, left, isSoon) => {
  expect(describeExpiry(expiresAt, now)).toEqual({ text: `Expires ${formatDayWithYear(expiresAt)}${left}`, isSoon })
})

test('says that an app password has expired while the page was open', () => {
  expect(describeExpiry('2026-11-25T12:00:00Z', now)).toEqual({ text: 'Expired', isSoon: true })
})

test('names the folder of an app password, and warns while it is in the trash', () => {
  expect(describeReach({ folderId: null, folderPath: null })).toBeUndefined()
  expect(describeReach({ folderId: 'x', folderPath: '/Photos/2024' })?.text).toBe('Only Photos/2024')
  expect(describeReach({ folderId: 'x', folderPath: null })).toEqual({
    text: 'Its folder is in the trash',
    isWarning: true,
  })
})
