import { MAX_PLAYLIST_NAME_LENGTH } from '@alcove/contract/limits'
import type { Playlist } from '@alcove/contract/media'
import { Button, Group, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type FormEvent, useState } from 'react'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { usePlaylistChanges } from './use-playlist-changes.ts'

export function openRenamePlaylistModal(playlist: Playlist): void {
  const modalId = modals.open({
    title: 'Rename Playlist',
    size: 420,
    children: <RenamePlaylist playlist={playlist} onClose={() => modals.close(modalId)} />,
  })
}

interface RenamePlaylistProps {
  readonly playlist: Playlist
  readonly onClose: () => void
}

function RenamePlaylist({ playlist, onClose }: RenamePlaylistProps) {
  const { update } = usePlaylistChanges()
  const [name, setName] = useState(playlist.name)
  const [problem, setProblem] = useState<string>()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (update.isPending) return
    if (name.trim() === playlist.name) return onClose()
    try {
      await update.mutateAsync({ id: playlist.id, name })
      onClose()
    } catch (error) {
      setProblem(sentenceOf(error) ?? 'The playlist could not be renamed. Check your connection, then try again.')
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        label="Playlist Name"
        value={name}
        error={problem}
        maxLength={MAX_PLAYLIST_NAME_LENGTH}
        dir="auto"
        autoComplete="off"
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={update.isPending}>
          Rename
        </Button>
      </Group>
    </form>
  )
}
