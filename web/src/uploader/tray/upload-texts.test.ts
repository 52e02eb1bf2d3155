import { GIGABYTE, MEBIBYTE } from '@alcove/contract/limits'
import { describe, expect, test } from 'vitest'
import type { UploadsSnapshot, UploadView } from '../upload-view.ts'
import { detailsOf, percentOf, sidesOf, summaryOf, tabTitleOf, titleOf } from './upload-texts.ts'

const film: UploadView = {
  id: 'a',
  kind: 'file',
  name: 'film.mov',
  status: 'uploading',
  sent: 913 * MEBIBYTE,
  total: 1.4 * GIGABYTE,
  files: 1,
  filesDone: 0,
  filesFailed: 0,
  filesInConflict: 0,
  thinnedBytes: 0,
  speed: 12.1 * MEBIBYTE,
  isRetrying: false,
  isChecking: false,
  exceedsQuota: false,
  isEncrypted: false,
  filesNeeded: 0,
}
const folder: UploadView = { ...film, kind: 'folder', name: 'Day trips', files: 340, filesDone: 212, speed: 0 }
const nothing: UploadsSnapshot = {
  views: [],
  uploading: 0,
  waiting: 0,
  paused: 0,
  inConflict: 0,
  failed: 0,
  files: 0,
  filesStored: 0,
  filesVerified: 0,
  filesFailed: 0,
  filesSkipped: 0,
  filesInConflict: 0,
  filesNeeded: 0,
  sent: 0,
  total: 0,
  speed: 0,
  isOffline: false,
  isVerifying: false,
}

const aFolder = { type: 'folder', size: 0, updatedAt: '2025-03-01T12:00:00.000Z' } as const

describe('detailsOf', () => {
  test.each<[string, UploadView]>([
    ['913 MB of 1.4 GB, 12.1 MB/s, 43 s left', film],
    ['212 of 340 files', folder],
    ['913 MB of 1.4 GB, trying again', { ...film, isRetrying: true }],
    ['Paused at 913 MB of 1.4 GB', { ...film, status: 'paused' }],
    ['Choose the file again to resume at 913 MB', { ...film, status: 'paused', filesNeeded: 1 }],
    ['Chunk 7 failed', { ...film, status: 'failed', reason: 'Chunk 7 failed' }],
    [
      '3 of 340 files failed. Chunk 7 failed',
      { ...folder, status: 'failed', filesFailed: 3, reason: 'Chunk 7 failed' },
    ],
    [
      'A file or folder named "a.jpg" already exists here.',
      { ...folder, status: 'conflict', filesInConflict: 12, conflict: { name: 'a.jpg', size: 1, existing: aFolder } },
    ],
    ['Choose the folder again to resume, 12 files left', { ...folder, status: 'paused', filesNeeded: 12 }],
    [
      'film.mov has changed, so its upload starts again.',
      { ...film, note: 'film.mov has changed, so its upload starts again.' },
    ],
    ['Uploaded, 1.4 GB', { ...film, status: 'done' }],
    [
      'Uploaded, 1.4 GB. 2 MB of earlier versions was removed to make space.',
      { ...film, status: 'done', thinnedBytes: 2 * MEBIBYTE },
    ],
    ['Uploaded, 340 files', { ...folder, status: 'done', filesDone: 340 }],
  ])('describes an upload as "%s"', (details, view) => {
    expect(detailsOf(view, false)).toBe(details)
  })

  test('says that an upload waits for the connection while the user is offline', () => {
    expect(detailsOf(film, true)).toBe('913 MB of 1.4 GB, waiting for the connection')
  })
})

test('shows 100 % only when the file is stored', () => {
  expect(percentOf({ sent: 999, total: 1000, status: 'uploading' })).toBe(99)
  expect(percentOf({ sent: 1000, total: 1000, status: 'uploading' })).toBe(99)
  expect(percentOf({ sent: 0, total: 0, status: 'uploading' })).toBe(0)
  expect(percentOf({ sent: 0, total: 0, status: 'done' })).toBe(100)
})

test('the heading shows uploads in progress, else what needs the user, else the result', () => {
  const views = Array.from({ length: 6 }, () => film)
  expect(titleOf({ ...nothing, views, uploading: 2, waiting: 1, failed: 1 })).toBe('Uploading 2 of 6')
  expect(titleOf({ ...nothing, views, inConflict: 1, filesInConflict: 1, paused: 2 })).toBe('A name is taken')
  expect(titleOf({ ...nothing, views, paused: 3, filesNeeded: 3 })).toBe('3 unfinished uploads')
  const ended = { ...nothing, views, files: 1204, filesStored: 1204, filesVerified: 1204, sent: 2048 }
  expect(titleOf(ended)).toBe('1,204 of 1,204 stored')
  expect(summaryOf(ended)).toBe('2 KB, compared with the server')
  expect(summaryOf({ ...ended, filesVerified: 3 })).toBe('2 KB, not compared with the server')
  const partly = { ...ended, filesStored: 1200, filesFailed: 3, filesSkipped: 1 }
  expect(titleOf(partly)).toBe('1,200 of 1,204 stored, 3 failed, 1 skipped')
})

test('the summary shows the speed and the remaining time, or that the user is offline', () => {
  const running = { ...nothing, uploading: 1, speed: 18.4 * MEBIBYTE, secondsLeft: 118, sent: 1, total: 2 }
  expect(summaryOf(running)).toBe('18.4 MB/s, about 2 minutes left')
  expect(summaryOf({ ...running, isOffline: true })).toContain('offline')
  expect(summaryOf({ ...running, secondsLeft: undefined })).toBe('1 B of 2 B')
})

test('the tab title shows the percentage but never 100 % during an upload', () => {
  expect(tabTitleOf({ sent: 42, total: 100 })).toBe('42 % · Alcove')
  expect(tabTitleOf({ sent: 100, total: 100 })).toBe('99 % · Alcove')
  expect(tabTitleOf({ sent: 0, total: 0 })).toBe('0 % · Alcove')
})

test('describes both files of a name conflict by size and date', () => {
  const [yours, there] = sidesOf({
    name: 'a.txt',
    size: 2048,
    lastModified: Date.UTC(2026, 4, 2, 12),
    existing: {
      type: 'file',
      size: 1024,
      updatedAt: '2026-03-01T12:00:00.000Z',
      modifiedAt: '2011-05-06T12:00:00.000Z',
    },
  })
  expect(yours?.text).toMatch(/^2 KB, .*2026/)
  expect(there?.text).toMatch(/^1 KB, .*2011/)
  expect(sidesOf({ name: 'a', size: 1, existing: aFolder })[1]?.text).toMatch(/^a folder, .*2025/)
})
