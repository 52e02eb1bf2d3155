import type { File } from '@alcove/contract/items'
import { lazyModule } from '../../lib/lazy-module.ts'
import { openLater } from '../../ui/dialogs/dialogs.tsx'
import type { VersionBytes } from './version-bytes.ts'

/** Renders the dialog, over any screen. */
export const versionHistory = lazyModule(() => import('./VersionHistoryDialog.tsx'))

/** Shows the earlier versions of a file. Without `bytes` it is a file of the drive. */
export function openVersionHistory(file: File, bytes?: VersionBytes): void {
  void openLater(versionHistory, ({ showVersionHistory }) => showVersionHistory(file, bytes))
}
