import { plural } from '../../lib/format.ts'
import { chooseAgain } from './choose-again.ts'
import { FilePickerButton } from './FilePickerButton.tsx'
import styles from './UnfinishedLine.module.css'

interface UnfinishedLineProps {
  /** How many files must be chosen again. */
  readonly count: number
}

/** Offers to choose the files of all unfinished uploads in one go, or the folder that they are in. */
export function UnfinishedLine({ count }: UnfinishedLineProps) {
  return (
    <div className={styles.line}>
      <p className={styles.text}>{plural(count, 'file')} to choose again. They go on where they stopped.</p>
      <div className={styles.buttons}>
        <FilePickerButton picks="files" size="xs" onPick={(files) => void chooseAgain(files)}>
          Choose files
        </FilePickerButton>
        <FilePickerButton picks="folder" size="xs" variant="default" onPick={(files) => void chooseAgain(files)}>
          Choose folder
        </FilePickerButton>
      </div>
    </div>
  )
}
