/** Whether this is a Mac (or an iPad with a keyboard), where Command does what Control does elsewhere. */
export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/** The key that goes with letters for commands, as it stands before the letter: `⌘` or `Ctrl+`. */
export const modKey = isMac ? '⌘' : 'Ctrl+'
