import type { File } from '@alcove/contract/items'
import { FILE_NAME_EMPTY, findNameProblem, normalizeName } from '@alcove/contract/names'
import { Button, Group, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type FormEvent, useRef, useState } from 'react'
import { sentenceOf } from '../../../api/sentence-of.ts'
import { joinExtension, splitExtension } from '../../../lib/file-names.ts'
import styles from './RenameFileModal.module.css'
import { useRenameItem } from './use-item-changes.ts'

/** Asks for a file's new name, base and extension apart. */
export function openRenameFileModal(file: File): void {
  const modalId = modals.open({
    title: 'Rename File',
    size: 420,
    children: <RenameFileForm file={file} onClose={() => modals.close(modalId)} />,
  })
}

interface RenameFileFormProps {
  readonly file: File
  readonly onClose: () => void
}

function RenameFileForm({ file, onClose }: RenameFileFormProps) {
  const [{ base, extension }, setName] = useState(() => splitExtension(file.name))
  const [problem, setProblem] = useState<string>()
  const { mutateAsync, isPending } = useRenameItem(file)
  const isSent = useRef(false)

  function change(part: { base: string } | { extension: string }) {
    setName((name) => ({ ...name, ...part }))
    setProblem(undefined)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isSent.current) return // a double click
    const newName = normalizeName(joinExtension(base, extension))
    const found = base.trim() === '' ? FILE_NAME_EMPTY : findNameProblem(newName, FILE_NAME_EMPTY)
    if (found) return setProblem(found)
    if (newName === file.name) return onClose()
    isSent.current = true
    try {
      await mutateAsync(newName)
      onClose()
    } catch (error) {
      isSent.current = false
      setProblem(sentenceOf(error))
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <div className={styles.fields}>
        <TextInput
          className={styles.base}
          label="File Name"
          value={base}
          error={problem}
          dir="auto"
          autoComplete="off"
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => change({ base: event.currentTarget.value })}
        />
        <TextInput
          className={styles.extension}
          label="Extension"
          value={extension}
          autoComplete="off"
          onChange={(event) => change({ extension: event.currentTarget.value })}
        />
      </div>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          Rename
        </Button>
      </Group>
    </form>
  )
}
