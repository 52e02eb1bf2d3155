import type { Playlist } from '@alcove/contract/media'
import {
  IconDots,
  IconPencil,
  IconPlayerPlay,
  IconPlayerPlayFilled,
  IconPlaylist,
  IconTrash,
} from '@tabler/icons-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { sentenceOf } from '../../../api/api.ts'
import { ChoiceMenu } from '../../../items/menu/ChoiceMenu.tsx'
import { plural } from '../../../lib/format.ts'
import { Card } from '../../../ui/Card.tsx'
import { CoverArt } from '../../../ui/CoverArt.tsx'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { playTracks } from '../player/player.ts'
import { usePlayer } from '../player/player-state.ts'
import { usePlaylistChanges, usePlaylists } from '../queries.ts'
import { TrackCover } from '../TrackCover.tsx'
import { askPlaylistName, showPlaylistTracks } from './dialogs.ts'
import styles from './PlaylistsCard.module.css'

interface OpenMenu {
  readonly playlist: Playlist
  readonly x: number
  readonly y: number
}

/** The user's playlists. A right click and the dots of a playlist open its menu. */
export function PlaylistsCard() {
  const { data: playlists, error } = usePlaylists()
  const { remove } = usePlaylistChanges()
  const [menu, setMenu] = useState<OpenMenu>()
  const opener = useRef<HTMLElement>(null)

  useEffect(() => {
    if (error) console.error("Couldn't load the playlists.", error)
  }, [error])

  function openMenu(playlist: Playlist, event: MouseEvent<HTMLElement>) {
    event.preventDefault()
    opener.current = event.currentTarget.querySelector('button') ?? event.currentTarget
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    const isAtPointer = event.clientX > 0 || event.clientY > 0
    setMenu({ playlist, x: isAtPointer ? event.clientX : left, y: isAtPointer ? event.clientY : bottom })
  }

  function closeMenu() {
    setMenu(undefined)
    opener.current?.focus({ preventScroll: true })
  }

  async function askAndDelete(playlist: Playlist) {
    const isSure = await confirm({
      question: `Are you sure you want to delete the playlist "${playlist.name}"?`,
      detail: 'Its tracks stay where they are.',
      verb: 'Delete',
    })
    if (!isSure) return
    remove.mutate(playlist, {
      onError: (failure) => notifyError(sentenceOf(failure) ?? "Couldn't delete the playlist."),
    })
  }

  return (
    <Card title="Your Playlists">
      <p className={styles.hint}>Right-click on tracks to create playlists.</p>
      {playlists && playlists.length > 0 && (
        <ul className={styles.list} aria-label="Your Playlists">
          {playlists.map((playlist) => (
            <li key={playlist.id} className={styles.row} onContextMenu={(event) => openMenu(playlist, event)}>
              <PlaylistCover playlist={playlist} />
              <div className={styles.names}>
                <bdi className={styles.name} title={playlist.name}>
                  {playlist.name}
                </bdi>
                <span className={styles.count}>{plural(playlist.track_ids.length, 'track')}</span>
              </div>
              <IconButton label={`Play ${playlist.name}`} onClick={() => play(playlist)}>
                <IconPlayerPlayFilled size={18} />
              </IconButton>
              <IconButton
                label={`More for ${playlist.name}`}
                aria-haspopup="menu"
                onClick={(event) => openMenu(playlist, event)}
              >
                <IconDots size={18} stroke={1.75} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {menu && (
        <ChoiceMenu
          key={`${menu.playlist.id} ${menu.x} ${menu.y}`}
          label={`Actions for ${menu.playlist.name}`}
          heading={menu.playlist.name}
          groups={[
            [
              { label: 'Rename', Icon: IconPencil, run: () => askPlaylistName(menu.playlist) },
              { label: 'Delete', Icon: IconTrash, isDangerous: true, run: () => void askAndDelete(menu.playlist) },
              { label: 'Play', Icon: IconPlayerPlay, run: () => play(menu.playlist) },
              { label: 'Edit tracks', Icon: IconPlaylist, run: () => showPlaylistTracks(menu.playlist) },
            ],
          ]}
          x={menu.x}
          y={menu.y}
          onClose={closeMenu}
        />
      )}
    </Card>
  )
}

function play({ name, track_ids }: Playlist): void {
  if (!playTracks(track_ids)) notifyError(`${name} has no tracks to play.`)
}

/** Combines the covers of the first four tracks. */
function PlaylistCover({ playlist }: { readonly playlist: Playlist }) {
  const { library } = usePlayer()
  const tracks = playlist.track_ids.slice(0, 4).map((id) => library.find((track) => track.id === id))
  return (
    <span className={styles.cover} aria-hidden>
      {[0, 1, 2, 3].map((place) => {
        const track = place < tracks.length ? tracks[place] : tracks[0]
        return track ? <TrackCover key={place} track={track} /> : <CoverArt key={place} name={playlist.name} />
      })}
    </span>
  )
}
