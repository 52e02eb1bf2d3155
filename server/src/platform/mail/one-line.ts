/**
 * A text without breaks of lines and without signs that turn the direction of writing. Names of devices and plans come
 * from elsewhere: with such signs they could put sentences or headers into a mail that are not ours.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim()
}
