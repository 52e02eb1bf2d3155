import { extensionOf } from '@alcove/contract/file-types'
import { Button, Group } from '@mantine/core'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { formatDay, formatSize } from '../lib/format.ts'
import { FileTypeSheet } from '../ui/FileTypeSheet.tsx'
import styles from './PreviewSheet.module.css'
import type { PreviewItem } from './preview-item.ts'
import { type PreviewProblem, problemTexts } from './preview-texts.ts'

interface PreviewSheetProps {
  readonly item: PreviewItem
  readonly problem: PreviewProblem
  readonly onDownload?: () => void
  readonly onRetry: () => void
}

/** Stands for a file that is not to be seen: what it is, why, and what can be done. */
export function PreviewSheet({ item, problem, onDownload, onRetry }: PreviewSheetProps) {
  return (
    <div className={styles.sheet}>
      <FileTypeSheet filename={item.name} size={96} />
      <p className={styles.text} role="status">
        {problemTexts[problem]}
      </p>
      <p className={styles.details}>{describeItem(item).join(', ')}</p>
      <Group justify="center" gap="xs">
        {problem === 'unreachable' && (
          <Button variant="default" leftSection={<IconRefresh size={18} stroke={1.75} />} onClick={onRetry}>
            Retry
          </Button>
        )}
        {onDownload && (
          <Button leftSection={<IconDownload size={18} stroke={1.75} />} onClick={onDownload}>
            Download
          </Button>
        )}
      </Group>
    </div>
  )
}

/** Type, size and day of a file, as far as they are known. */
function describeItem({ name, size, updatedAt }: PreviewItem): string[] {
  const type = extensionOf(name).toUpperCase()
  return [type ? `${type} file` : 'File', formatSize(size), ...(updatedAt ? [formatDay(updatedAt)] : [])]
}
