import { GIGABYTE, MEBIBYTE } from '@alcove/contract/limits'
import { describe, expect, test } from 'vitest'
import type { UploadView } from '../../lib/upload-entries.ts'
import type { UploadsSnapshot } from '../../lib/upload-snapshot.ts'
import { factsOf, percentOf, summaryOf, titleOf } from './upload-texts.ts'

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
  speed: 12.1 * MEBIBYTE,
  isRetrying: false,
  needsFile: false,
}
const folder: UploadView = { ...film, kind: 'folder', name: 'Day trips', files: 340, filesDone: 212, speed: 0 }
const nothing: UploadsSnapshot = {
  views: [],
  uploading: 0,
  waiting: 0,
  paused: 0,
  inConflict: 0,
  failed: 0,
  sent: 0,
  total: 0,
  speed: 0,
  isOffline: false,
}

describe('factsOf', () => {
  test.each<[string, UploadView]>([
    ['913 MB of 1.4 GB, 12.1 MB/s, 43 s left', film],
    ['212 of 340 files', folder],
    ['913 MB of 1.4 GB, trying again', { ...film, isRetrying: true }],
    ['Paused at 913 MB of 1.4 GB', { ...film, status: 'paused' }],
    ['Choose the file again to resume at 913 MB', { ...film, status: 'paused', needsFile: true }],
    ['Chunk 7 failed', { ...film, status: 'failed', reason: 'Chunk 7 failed' }],
    [
      '3 of 340 files failed. Chunk 7 failed',
      { ...folder, status: 'failed', filesFailed: 3, reason: 'Chunk 7 failed' },
    ],
    ['12 files with a name that already exists here.', { ...folder, status: 'conflict', filesInConflict: 12 }],
    ['Uploaded, 1.4 GB', { ...film, status: 'done' }],
    ['Uploaded, 340 files', { ...folder, status: 'done', filesDone: 340 }],
  ])('%s', (facts, view) => {
    expect(factsOf(view, false)).toBe(facts)
  })

  test('without a network says that it waits', () => {
    expect(factsOf(film, true)).toBe('913 MB of 1.4 GB, waiting for the connection')
  })
})

test('the percentage is 100 only when the file is stored', () => {
  expect(percentOf({ sent: 999, total: 1000, status: 'uploading' })).toBe(99)
  expect(percentOf({ sent: 1000, total: 1000, status: 'uploading' })).toBe(99)
  expect(percentOf({ sent: 0, total: 0, status: 'uploading' })).toBe(0)
  expect(percentOf({ sent: 0, total: 0, status: 'done' })).toBe(100)
})

test('the heading tells what goes on first', () => {
  const views = Array.from({ length: 6 }, () => film)
  expect(titleOf({ ...nothing, views, uploading: 2, waiting: 1, failed: 1 })).toBe('Uploading 2 of 6')
  expect(titleOf({ ...nothing, views, inConflict: 1, paused: 2 })).toBe('An upload needs your answer')
  expect(titleOf({ ...nothing, views, failed: 2 })).toBe('2 of 6 uploads failed')
  expect(titleOf({ ...nothing, views })).toBe('6 uploads finished')
})

test('the summary tells speed and time, or that the network is gone', () => {
  const running = { ...nothing, uploading: 1, speed: 18.4 * MEBIBYTE, secondsLeft: 118, sent: 1, total: 2 }
  expect(summaryOf(running)).toBe('18.4 MB/s, about 2 minutes left')
  expect(summaryOf({ ...running, isOffline: true })).toContain('offline')
  expect(summaryOf({ ...running, secondsLeft: undefined })).toBe('1 B of 2 B')
})
