import type { MediaFile } from '@alcove/contract/media'
import { Button, Menu, TextInput } from '@mantine/core'
import { IconArrowsSort, IconPlayerPlay, IconPlaylistAdd, IconSearch } from '@tabler/icons-react'
import { type MouseEvent, useMemo, useRef, useState } from 'react'
import { updateSession, useSession } from '../../api/session.ts'
import { useWindowRows } from '../../items/grid/use-window-rows.ts'
import { ChoiceMenu } from '../../items/menu/ChoiceMenu.tsx'
import { plural } from '../../lib/format.ts'
import { Dropdown } from '../../ui/Dropdown.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import { VirtualList, VirtualRow } from '../../ui/VirtualList.tsx'
import {
  arrangeTracks,
  filterTracks,
  readTrackView,
  type TrackGroups,
  type TrackOrder,
  type TrackView,
  writeTrackView,
} from './arrange-tracks.ts'
import { changePlayerQueue } from './player/player.ts'
import { usePlayer } from './player/player-state.ts'
import { askForPlaylist } from './playlists/dialogs.ts'
import styles from './TrackList.module.css'
import { playTrack, TrackGroup, TrackRow } from './TrackRow.tsx'

const ROW_HEIGHT = 50
/** With more tracks than this, the list has a filter. */
const MANY = 12

interface OpenMenu {
  readonly track: MediaFile
  readonly x: number
  readonly y: number
}

/** All tracks. Only the rows in view are in the document, however many there are. */
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
    // The menu key has no pointer position.
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
      <VirtualList ref={list} height={height} aria-labelledby="all-tracks">
        {rows.map(({ key, index, start }) => {
          const line = lines[index]
          if (!line) return undefined
          if (!('track' in line)) {
            return (
              <VirtualRow key={key} ref={measure} data-index={index} top={start - top}>
                <TrackGroup heading={line.heading} tracks={line.tracks} />
              </VirtualRow>
            )
          }
          const { track, place } = line
          return (
            <VirtualRow
              key={key}
              ref={measure}
              data-index={index}
              aria-setsize={shown.length}
              aria-posinset={place + 1}
              top={start - top}
            >
              <TrackRow
                track={track}
                isQueued={queued.has(places.get(track.id) ?? -1)}
                isCurrent={library[queue.tracks[queue.position] ?? -1]?.id === track.id}
                onMenu={(event) => openMenu(track, event)}
                onAdd={() => changePlayerQueue({ type: 'add', track: places.get(track.id) ?? -1 })}
              />
            </VirtualRow>
          )
        })}
      </VirtualList>
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

const ORDERS: Record<TrackOrder, string> = {
  name: 'File name',
  title: 'Title',
  artist: 'Artist',
  album: 'Album',
  length: 'Length',
}
const GROUPS: Record<TrackGroups, string> = { none: 'None', album: 'Albums', artist: 'Artists' }

/** Chooses the order and the groups of the tracks. */
function TrackViewMenu({ view }: { readonly view: TrackView }) {
  const change = (changes: Partial<TrackView>) => updateSession({ musicView: writeTrackView({ ...view, ...changes }) })
  return (
    <Dropdown width={180} position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          size="xs"
          aria-label={`Sort by: ${ORDERS[view.order]}. Groups: ${GROUPS[view.groups]}`}
          leftSection={<IconArrowsSort size={16} stroke={1.75} />}
        >
          {view.groups === 'none' ? ORDERS[view.order] : GROUPS[view.groups]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Sort by</Menu.Label>
        <Menu.RadioGroup value={view.order} onChange={(order) => change({ order: order as TrackOrder })}>
          {Object.entries(ORDERS).map(([order, label]) => (
            <Menu.RadioItem closeMenuOnClick key={order} value={order}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Label>Groups</Menu.Label>
        <Menu.RadioGroup value={view.groups} onChange={(groups) => change({ groups: groups as TrackGroups })}>
          {Object.entries(GROUPS).map(([groups, label]) => (
            <Menu.RadioItem closeMenuOnClick key={groups} value={groups}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Dropdown>
  )
}
