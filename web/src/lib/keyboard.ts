/** Whether this is a Mac (or an iPad with a keyboard), where Command does what Control does elsewhere. */
export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/** The modifier key of shortcuts, as written before a letter: `⌘` or `Ctrl+`. */
export const modKey = isMac ? '⌘' : 'Ctrl+'
