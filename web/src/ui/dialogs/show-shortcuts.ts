import { lazyModule } from '../../lib/lazy-module.ts'
import { openLater } from './dialogs.tsx'

const sheet = lazyModule(() => import('./ShortcutSheet.tsx'))

/** Shows the keyboard shortcuts; the sheet is fetched after the first screen. */
export function showShortcuts(): void {
  void openLater(sheet, ({ openShortcutSheet }) => openShortcutSheet())
}
