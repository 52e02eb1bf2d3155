import { later } from '../lib/later.ts'
import { openLater } from './dialogs.tsx'

const sheet = later(() => import('./ShortcutSheet.tsx'))

/** Shows the keyboard shortcuts; the sheet is fetched after the first screen. */
export function showShortcuts(): void {
  void openLater(sheet, ({ openShortcutSheet }) => openShortcutSheet())
}
