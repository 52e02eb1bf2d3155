import type { File, Folder, Item } from '@alcove/contract/items'
import {
  FILE_NAME_EMPTY,
  FOLDER_NAME_EMPTY,
  findNameProblem,
  normalizeName,
  normalizeTypedName,
} from '@alcove/contract/names'
import { Button, Group, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type FormEvent, useRef, useState } from 'react'
import { sentenceOf } from '../../../api/api.ts'
import { parentOf } from '../../../items/lists/item-lists.ts'
import { findKnownTwin } from '../../../items/lists/known-twin.ts'
import { NameForm } from '../../../items/NameForm.tsx'
import { joinExtension, splitExtension } from '../../../lib/file-names.ts'
import { noteOnBlanks, noteOnTwin } from '../../../lib/name-notes.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { FieldNote } from '../../../ui/FieldNote.tsx'
import { useCreateFolder, useRenameItem } from './create-and-rename.ts'
import styles from './NameModals.module.css'

/** Asks for the name of a new folder and creates it. */
export function openCreateFolderModal(parentFolderId: string | undefined): void {
  const modalId = openDialog({
    title: 'Create Folder',
    size: 420,
    children: <CreateFolderForm parentFolderId={parentFolderId} onClose={() => modals.close(modalId)} />,
  })
}

interface CreateFolderFormProps {
  readonly parentFolderId: string | undefined
  readonly onClose: () => void
}

function CreateFolderForm({ parentFolderId, onClose }: CreateFolderFormProps) {
  const { mutateAsync, isPending } = useCreateFolder(parentFolderId)
  return (
    <ItemNameForm
      verb="Create"
      folderId={parentFolderId}
      emptyMessage={FOLDER_NAME_EMPTY}
      isBusy={isPending}
      onSubmit={mutateAsync}
      onClose={onClose}
    />
  )
}

/** Asks for a folder's new name. An empty name changes nothing. */
export function openRenameFolderModal(folder: Folder): void {
  const modalId = openDialog({
    title: 'Rename Folder',
    size: 420,
    children: <RenameFolderForm folder={folder} onClose={() => modals.close(modalId)} />,
  })
}

interface RenameFolderFormProps {
  readonly folder: Folder
  readonly onClose: () => void
}

function RenameFolderForm({ folder, onClose }: RenameFolderFormProps) {
  const { mutateAsync, isPending } = useRenameItem(folder)
  return (
    <ItemNameForm
      verb="Rename"
      folderId={parentOf(folder)}
      renamed={folder}
      isBusy={isPending}
      onSubmit={mutateAsync}
      onClose={onClose}
    />
  )
}

/** Asks for a file's new name, with separate fields for base name and extension. */
export function openRenameFileModal(file: File): void {
  const modalId = openDialog({
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
  const first = splitExtension(file.name)
  const [typed, setTyped] = useState(first)
  const [problem, setProblem] = useState<string>()
  const { mutateAsync, isPending } = useRenameItem(file)
  const isSent = useRef(false)
  const noteOn = useNameNotes(parentOf(file), file)
  const newName = normalizeName(joinExtension(typed, first))

  function change(part: { base: string } | { extension: string }) {
    setTyped((name) => ({ ...name, ...part }))
    setProblem(undefined)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isSent.current) return // a double click
    if (newName === file.name) return onClose()
    const found = typed.base.trim() === '' ? FILE_NAME_EMPTY : findNameProblem(newName, FILE_NAME_EMPTY)
    if (found) return setProblem(found)
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
          value={typed.base}
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
          value={typed.extension}
          autoComplete="off"
          onChange={(event) => change({ extension: event.currentTarget.value })}
        />
      </div>
      <FieldNote text={problem === undefined ? noteOn(newName) : undefined} />
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" loading={isPending}>
          Rename
        </BusyButton>
      </Group>
    </form>
  )
}

/** Returns the function that warns of a name which Windows or macOS can't store. `renamed` is the item that gets it. */
function useNameNotes(folderId: string | undefined, renamed?: Item): (name: string) => string | undefined {
  const queryClient = useQueryClient()
  return (name) => {
    const twin = findKnownTwin(queryClient, folderId, name, renamed?.id)
    return twin === undefined ? noteOnBlanks(name) : noteOnTwin(twin)
  }
}

interface ItemNameFormProps
  extends Omit<ComponentProps<typeof NameForm>, 'check' | 'noteOn' | 'label' | 'initialName'> {
  /** The folder that contains the item. */
  readonly folderId: string | undefined
  readonly renamed?: Folder
  /** The message for an empty name. Without it, an empty name closes the form. */
  readonly emptyMessage?: string
}

/** Asks for the name of a folder and checks it by the rules for item names. */
export function ItemNameForm({ emptyMessage, folderId, renamed, ...form }: ItemNameFormProps) {
  const noteOn = useNameNotes(folderId, renamed)
  // A name that wasn't changed keeps its blanks.
  const nameOf = (typed: string) => (typed === renamed?.name ? typed : normalizeTypedName(typed))
  const check = (typed: string) => {
    const name = nameOf(typed)
    const isNothing = name === '' && emptyMessage === undefined
    return { name, problem: isNothing ? undefined : findNameProblem(name, emptyMessage ?? '') }
  }
  return (
    <NameForm
      {...form}
      label="Folder Name"
      initialName={renamed?.name}
      check={check}
      noteOn={(typed) => noteOn(nameOf(typed))}
    />
  )
}
