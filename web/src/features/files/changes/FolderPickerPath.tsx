import type { PathStep } from '@alcove/contract/items'
import { IconChevronRight } from '@tabler/icons-react'
import { ROOT_NAME } from '../folder-contents.ts'
import styles from './MoveItemModal.module.css'

interface FolderPickerPathProps {
  /** The ancestors of the folder that is shown, the topmost first. */
  readonly path: readonly PathStep[]
  readonly name: string
  readonly isRoot: boolean
  readonly onOpen: (folderId: string | undefined) => void
}

/** The way to the folder that is shown, each step a button back to it. */
export function FolderPickerPath({ path, name, isRoot, onOpen }: FolderPickerPathProps) {
  const steps: { id?: string; name: string }[] = isRoot ? [] : [{ name: ROOT_NAME }, ...path]
  return (
    <nav aria-label="Path of the chosen folder">
      <ol className={styles.path}>
        {steps.map((step) => (
          <li key={step.id ?? ROOT_NAME} className={styles.step}>
            <button type="button" className={styles.crumb} onClick={() => onOpen(step.id)}>
              <bdi>{step.name}</bdi>
            </button>
            <IconChevronRight size={16} stroke={1.75} aria-hidden />
          </li>
        ))}
        <li className={styles.step}>
          <strong className={styles.name} aria-current="page" aria-live="polite">
            <bdi>{name}</bdi>
          </strong>
        </li>
      </ol>
    </nav>
  )
}
