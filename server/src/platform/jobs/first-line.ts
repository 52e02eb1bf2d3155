const MAX_LENGTH = 300

/** Returns the first line of an error's message, as lists of jobs show it. */
export function firstLineOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error)
  return (message.split('\n', 1)[0] as string).slice(0, MAX_LENGTH)
}
