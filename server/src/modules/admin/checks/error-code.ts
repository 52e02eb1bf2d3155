/** Returns the code of an error, or else its class: unlike messages, both never contain what was sent. */
export function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' && code !== '' ? code : String(name ?? 'unknown error')
}
