/** So many bytes make an encoded word of 72 signs; 75 are allowed. */
const BYTES_IN_WORD = 45
const ENCODED = /=\?utf-8\?B\?([\w+/=]*)\?=/gi

/** Text for the head of a mail, where only ASCII may stand (RFC 2047). */
export function encodeWords(text: string): string {
  // What looks like an encoded word would be decoded by whoever reads it.
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes('=?')) return text
  const words = ['']
  for (const sign of text) {
    const word = words.at(-1) + sign
    if (Buffer.byteLength(word) <= BYTES_IN_WORD) words[words.length - 1] = word
    else words.push(sign)
  }
  return words.map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join('\n ')
}

/** Reads what `encodeWords` wrote; the breaks between words are not part of the text. */
export function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(ENCODED, (_word, content) => Buffer.from(content, 'base64').toString())
}
