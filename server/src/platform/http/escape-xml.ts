/** What XML 1.0 can't contain, not even escaped: most control characters, lone surrogates and two noncharacters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu
/** Most texts contain none of these, and need only one search. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const UNUSUAL = /[&<>"'\u0000-\u0008\u000b-\u001f\ufffe\uffff\p{Cs}]/u
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A parser would turn it into a line feed.
  '\r': '&#13;',
}

/** Escapes a text for an element or an attribute. Characters that XML can't contain become U+FFFD. */
export function escapeXml(text: string): string {
  if (!UNUSUAL.test(text)) return text
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"'\r]/g, (sign) => escapes[sign] as string)
}
