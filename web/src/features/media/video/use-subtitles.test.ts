import { expect, it } from 'vitest'
import { toVtt } from './use-subtitles.ts'

it('converts SubRip with CRLF line ends and a byte order mark to WebVTT', () => {
  const srt = '\uFEFF1\r\n00:00:01,500 --> 00:00:02,750\r\nOne, two, 1,234\r\n'
  expect(toVtt(srt)).toBe('WEBVTT\n\n1\n00:00:01.500 --> 00:00:02.750\nOne, two, 1,234\n')
})

it('returns WebVTT unchanged', () => {
  const vtt = 'WEBVTT\n\n00:01.500 --> 00:02.750\nHello\n'
  expect(toVtt(vtt)).toBe(vtt)
})
