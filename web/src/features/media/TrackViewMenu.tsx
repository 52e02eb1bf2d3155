import { Button, Menu } from '@mantine/core'
import { IconArrowsSort } from '@tabler/icons-react'
import { updateSession } from '../../api/session.ts'
import { Dropdown } from '../../ui/Dropdown.tsx'
import { type TrackGroups, type TrackOrder, type TrackView, writeTrackView } from './arrange-tracks.ts'

const ORDERS: Record<TrackOrder, string> = {
  name: 'File name',
  title: 'Title',
  artist: 'Artist',
  album: 'Album',
  length: 'Length',
}
const GROUPS: Record<TrackGroups, string> = { none: 'None', album: 'Albums', artist: 'Artists' }

/** In which order the music is listed, and under which headings. */
export function TrackViewMenu({ view }: { readonly view: TrackView }) {
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
