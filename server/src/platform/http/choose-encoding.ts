/** The codings of content that we send (RFC 9110, section 8.4.1). */
export type Encoding = 'br' | 'gzip'

/** Chooses brotli before gzip; undefined where the client accepts neither. */
export function chooseEncoding(header: string | string[] | undefined): Encoding | undefined {
  const accepted = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.replace(/;.*$/, '').trim())
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding))
}
