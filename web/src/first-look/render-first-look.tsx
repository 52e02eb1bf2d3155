import type { File, Folder } from '@alcove/contract/items'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { storageQuery } from '../api/fetch-storage.ts'
import { queryKeys } from '../api/query-keys.ts'
import { assumeSession } from '../api/session.ts'
import { cssVariablesResolver } from '../app/colors.ts'
import { AppFrame } from '../app/layout/AppFrame.tsx'
import navigationStyles from '../app/layout/NavigationList.module.css'
import { navigation } from '../app/router.tsx'
import { theme } from '../app/theme.ts'
import card from '../features/files/StorageCard.module.css'
import { StorageStrip } from '../features/files/StorageCard.tsx'
import { SearchBox } from '../features/files/search/SearchBox.tsx'
import grid from '../items/grid/ItemGrid.module.css'
import { completeList, type ItemList } from '../items/lists/item-lists.ts'
import { DEFAULT_SORT, writeSort } from '../items/lists/item-order.ts'
import { FileTile, FolderTile } from '../items/tiles/ItemTile.tsx'
import thumbnail from '../items/tiles/Thumbnail.module.css'
import type { TileHandlers } from '../items/tiles/tile-handlers.ts'
import shape from '../items/tiles/tile-shape.module.css'
import type { FileKind } from '../lib/file-names.ts'
import { assumeMedia } from '../lib/use-media.ts'
import { ProfilePage } from '../pages/ProfilePage.tsx'
import { FileTypeSheet } from '../ui/FileTypeSheet.tsx'
import { type Screen, screens } from './screens.ts'

/** The class names of the elements that `first-look.ts` finds and makes. The page contains them. */
const classes = {
  email: navigationStyles.email ?? '',
  plan: navigationStyles.plan ?? '',
  storage: card.card ?? '',
  percent: card.percent ?? '',
  storageText: card.text ?? '',
  track: card.track ?? '',
  bar: card.bar ?? '',
  row: grid.row ?? '',
  heading: grid.heading ?? '',
  name: shape.name ?? '',
  meta: shape.meta ?? '',
  thumbnail: thumbnail.thumbnail ?? '',
  picture: thumbnail.picture ?? '',
}

export type Classes = typeof classes

const common = {
  parentId: null,
  createdAt: '2000-01-01T00:00:00.000Z',
  updatedAt: '2000-01-01T00:00:00.000Z',
  isEncrypted: false,
  isFavorite: false,
  isShared: false,
}
const folder: Folder = { ...common, id: 'folder', type: 'folder', name: '-', itemCount: 0 }
const file: File = {
  ...common,
  id: 'file',
  type: 'file',
  name: '-',
  filename: '-',
  folder_id: null,
  mimeType: '',
  size: 0,
  modifiedAt: common.updatedAt,
}
const list: ItemList = completeList([folder, file])
const samples: Record<FileKind, string> = {
  pdf: 'a.pdf',
  doc: 'a.doc',
  sheet: 'a.xls',
  slides: 'a.ppt',
  image: 'a.png',
  audio: 'a.mp3',
  video: 'a.mp4',
  archive: 'a.zip',
  text: 'a.txt',
  other: 'a.bin',
}

const ignore = () => {}
const handlers: TileHandlers = {
  onActivate: ignore,
  onPress: ignore,
  onLongPress: ignore,
  onToggle: ignore,
  onOpen: ignore,
  onRename: ignore,
  onRemove: ignore,
  onToggleFavorite: ignore,
  onMenu: ignore,
  getDragged: () => [],
  onMoveInto: ignore,
  onDropFiles: ignore,
}

/**
 * Renders, at build time, the templates that `first-look.ts` fills in to show the root of the drive before the program
 * is loaded: the frame of each layout, and one of each part of the list.
 */
export function renderFirstLook(): string {
  assumeSession({ token: '-', email: 'name@domain', planName: 'plan' })
  const queryClient = new QueryClient()
  queryClient.setQueryData([...queryKeys.folderItems(undefined), writeSort(DEFAULT_SORT)], list)
  queryClient.setQueryData(storageQuery.queryKey, {
    used_bytes: 1,
    version_bytes: 0,
    reserved_bytes: 0,
    usage_percent: 50,
    allocated_bytes: 2,
    plan_id: 1,
    plan_name: 'plan',
    version: '1',
  })
  const render = (content: ReactNode, isBare = true) =>
    renderToStaticMarkup(
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        withCssVariables={!isBare}
        withGlobalClasses={!isBare}
      >
        <QueryClientProvider client={queryClient}>
          <MemoryRouter initialEntries={['/profile']}>{content}</MemoryRouter>
        </QueryClientProvider>
      </MantineProvider>,
    )
  const template = (name: string, content: ReactNode) => `<template data-name="${name}">${render(content)}</template>`

  const tile = { index: 0, isActive: false, isSelected: false, handlers, hasTools: false }
  const paidPlaces = navigation.filter(({ isPaid }) => isPaid).map(({ path }) => path)
  const told = `data-paid-places="${paidPlaces.join(' ')}" data-classes='${JSON.stringify(classes)}'`
  const html = [
    `<div id="first-look" class="first-look" aria-hidden="true" inert hidden ${told}>`,
    // The page includes the styles of the classes that it contains.
    `<template><i class="${Object.values(classes).join(' ')}"></i></template>`,
    render(null, false),
    ...(Object.keys(screens) as Screen[]).map((screen) => {
      assumeMedia((query) => query === screens[screen])
      return template(
        screen,
        <AppFrame
          navigation={navigation}
          header={screen === 'wide' && <SearchBox onChoose={ignore} />}
          strip={screen === 'phone' && <StorageStrip />}
        >
          <ProfilePage />
        </AppFrame>,
      )
    }),
    template('folder', <FolderTile item={folder} {...tile} />),
    template('file', <FileTile item={file} {...tile} />),
    ...(Object.keys(samples) as FileKind[]).map((kind) => template(kind, <FileTypeSheet filename={samples[kind]} />)),
    '</div>',
  ].join('')
  assumeSession()
  assumeMedia()
  // Each query has a timer, which would keep the build running for a minute.
  queryClient.clear()
  return html
}
