import { useMemo, useState } from 'react'
import { Outlet } from 'react-router'
import { useChangesElsewhere } from '../../api/changes-elsewhere.ts'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { useMedia } from '../../lib/use-media.ts'
import { PageHeaderSlot, PageStripSlot } from '../../ui/PageHeader.tsx'
import { useUploadEffects } from '../../uploader/tray/use-upload-effects.ts'
import { AppShortcuts } from '../AppShortcuts.tsx'
import { AppFrame } from './AppFrame.tsx'
import { ConnectionLine } from './ConnectionLine.tsx'
import { NowPlayingPlace } from './NowPlayingPlace.tsx'
import type { NavigationItem } from './navigation.ts'
import { useFocusMain } from './use-focus-main.ts'

const uploadsButton = lazyModule(() => import('../../uploader/tray/UploadsButton.tsx'), 'soon')
const uploadTray = lazyModule(() => import('../../uploader/tray/UploadTray.tsx'), 'soon')
const dragLayer = lazyModule(() => import('../../items/drag/DragLayer.tsx'), 'soon')

interface AppLayoutProps {
  readonly navigation: readonly NavigationItem[]
}

/** Every signed-in screen in its frame, with what belongs to none of them alone. */
export function AppLayout({ navigation }: AppLayoutProps) {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const [strip, setStrip] = useState<HTMLElement | null>(null)
  const isWide = useMedia('(min-width: 62em)')
  const dragging = useLazyModule(dragLayer, false)
  const button = useLazyModule(uploadsButton, false)
  const tray = useLazyModule(uploadTray, false)
  useFocusMain()
  useChangesElsewhere()
  useUploadEffects()
  // The slots are there one rendering later, which needs to draw nothing but what goes into them.
  const frame = useMemo(
    () => (
      <AppFrame
        navigation={navigation}
        headerRef={setSlot}
        stripRef={setStrip}
        sideFoot={isWide && <NowPlayingPlace />}
        panelHead={!isWide && <NowPlayingPlace />}
        uploads={button && <button.UploadsButton />}
        notice={<ConnectionLine />}
      >
        <Outlet />
      </AppFrame>
    ),
    [navigation, isWide, button],
  )
  return (
    <PageHeaderSlot.Provider value={slot}>
      <PageStripSlot.Provider value={strip}>
        {frame}
        {tray && <tray.UploadTray />}
        {dragging && <dragging.DragLayer />}
        <AppShortcuts />
      </PageStripSlot.Provider>
    </PageHeaderSlot.Provider>
  )
}
