/** Control characters except tab, and those that change the direction of text or break lines. */
const CONTROLS = /[^\P{Cc}\t]|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * Returns text in which control characters are visible, such as `\u001b`. Texts of users could otherwise move the cursor of an
 * operator's terminal, change its title, or imitate other lines.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
