/** Subtitles in the form that browsers read (WebVTT), whichever of the two they are written in. */
export function toVtt(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  if (lines.startsWith('WEBVTT')) return lines
  // SubRip differs in its missing head and in the comma before the milliseconds.
  return `WEBVTT\n\n${lines.replace(/(\d{1,2}:\d{2}:\d{2}),(\d{3})/g, '$1.$2')}`
}
