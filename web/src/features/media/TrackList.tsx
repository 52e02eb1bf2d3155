import type { MediaFile } from '@alcove/contract/media'
import { TextInput } from '@mantine/core'
import { IconPlayerPlay, IconPlaylistAdd, IconSearch } from '@tabler/icons-react'
import { type MouseEvent, useMemo, useRef, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { ChoiceMenu } from '../../items/ChoiceMenu.tsx'
import { useWindowRows } from '../../items/grid/use-window-rows.ts'
import { plural } from '../../lib/format.ts'
import { ItemName } from '../../ui/ItemName.tsx'
import { arrangeTracks, readTrackView } from './arrange-tracks.ts'
import { askForPlaylist } from './dialogs.ts'
import { filterTracks } from './filter-tracks.ts'
import { playTrack } from './play-track.ts'
import { changePlayerQueue } from './player/player.ts'
import { usePlayer } from './player/player-state.ts'
import { TrackGroup } from './TrackGroup.tsx'
import styles from './TrackList.module.css'
import { TrackRow } from './TrackRow.tsx'
import { TrackViewMenu } from './TrackViewMenu.tsx'

const ROW_HEIGHT = 50
/** From so many tracks on there is a field to find one. */
const MANY = 12

interface OpenMenu {
  readonly track: MediaFile
  readonly x: number
  readonly y: number
}

/** All music. Only the rows in view are in the document, however many there are. */
export function TrackList({ tracks }: { readonly tracks: readonly MediaFile[] }) {
  const [wanted, setWanted] = useState('')
  const [menu, setMenu] = useState<OpenMenu>()
  const list = useRef<HTMLUListElement>(null)
  const opener = useRef<HTMLElement>(null)
  const { musicView } = useSession()
  const shown = useMemo(() => filterTracks(tracks, wanted), [tracks, wanted])
  const lines = useMemo(() => arrangeTracks(shown, readTrackView(musicView)), [shown, musicView])
  const { queue, library } = usePlayer()
  const queued = useMemo(() => new Set(queue.tracks), [queue.tracks])
  const places = useMemo(() => new Map(library.map(({ id }, place) => [id, place])), [library])
  const { rows, height, top, measure } = useWindowRows(list, lines, { rowHeight: ROW_HEIGHT })

  function openMenu(track: MediaFile, event: MouseEvent<HTMLElement>) {
    event.preventDefault()
    opener.current = event.currentTarget
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    // The menu key has no place of its own.
    const isAtPointer = event.clientX > 0 || event.clientY > 0
    setMenu({ track, x: isAtPointer ? event.clientX : left + 24, y: isAtPointer ? event.clientY : bottom })
  }

  function closeMenu() {
    setMenu(undefined)
    opener.current?.focus({ preventScroll: true })
  }

  return (
    <section className={styles.section} aria-labelledby="all-tracks">
      <div className={styles.head}>
        <h2 className={styles.title} id="all-tracks">
          All Tracks
        </h2>
        {tracks.length > MANY && (
          <TextInput
            className={styles.filter}
            aria-label="Find a track"
            placeholder="Find a track"
            leftSection={<IconSearch size={16} stroke={1.75} />}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
        )}
        <span className={styles.count} role="status">
          {shown.length === tracks.length
            ? plural(tracks.length, 'track')
            : `${shown.length} of ${plural(tracks.length, 'track')}`}
        </span>
        {tracks.length > 1 && <TrackViewMenu view={readTrackView(musicView)} />}
      </div>
      <ul ref={list} className={styles.list} style={{ height }} aria-labelledby="all-tracks">
        {rows.map(({ key, index, start }) => {
          const line = lines[index]
          if (!line) return undefined
          const style = { transform: `translateY(${start - top}px)` }
          if (!('track' in line)) {
            return (
              <li key={key} ref={measure} className={styles.item} data-index={index} style={style}>
                <TrackGroup heading={line.heading} tracks={line.tracks} />
              </li>
            )
          }
          const { track, place } = line
          return (
            <li
              key={key}
              ref={measure}
              className={styles.item}
              data-index={index}
              aria-setsize={shown.length}
              aria-posinset={place + 1}
              style={style}
            >
              <TrackRow
                track={track}
                isQueued={queued.has(places.get(track.id) ?? -1)}
                isCurrent={library[queue.tracks[queue.position] ?? -1]?.id === track.id}
                onMenu={(event) => openMenu(track, event)}
                onAdd={() => changePlayerQueue({ type: 'add', track: places.get(track.id) ?? -1 })}
              />
            </li>
          )
        })}
      </ul>
      {menu && (
        <ChoiceMenu
          key={`${menu.track.id} ${menu.x} ${menu.y}`}
          label={`Actions for ${menu.track.filename}`}
          heading={<ItemName name={menu.track.filename} />}
          groups={[
            [
              { label: 'Add to Playlist', Icon: IconPlaylistAdd, run: () => askForPlaylist(menu.track) },
              { label: 'Play now', Icon: IconPlayerPlay, run: () => playTrack(menu.track.id) },
            ],
          ]}
          x={menu.x}
          y={menu.y}
          onClose={closeMenu}
        />
      )}
    </section>
  )
}
