import { IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { storageQuery } from '../../api/fetch-storage.ts'
import { AnnouncementBar } from '../../features/announcement/AnnouncementBar.tsx'
import { MaintenanceNotice } from '../../features/maintenance/MaintenanceNotice.tsx'
import { MassDeletions } from '../../features/mass-deletions/MassDeletions.tsx'
import { NoticeBell } from '../../features/notices/NoticeBell.tsx'
import { DragLayer } from '../../items/drag/DragLayer.tsx'
import { ownerRowParts } from '../../uploader/tray/OwnerRowParts.tsx'
import { RowPartsContext } from '../../uploader/tray/row-parts.ts'
import { UploadsButton } from '../../uploader/tray/UploadsButton.tsx'
import { UploadTray } from '../../uploader/tray/UploadTray.tsx'
import { NavigationEntry } from './NavigationList.tsx'

/** What lies over every signed-in screen. Nobody needs it before the first screen is shown. */
export function LateLayers() {
  return (
    <>
      <RowPartsContext value={ownerRowParts}>
        <UploadTray />
      </RowPartsContext>
      <DragLayer />
    </>
  )
}

/** The tools in the header that show what is going on. */
export function LateTools() {
  return <UploadsButton />
}

export function LateBell() {
  return <NoticeBell />
}

/** What stands above the page and isn't needed before the first screen is shown. */
export function LateNotices() {
  return (
    <>
      <MaintenanceNotice />
      <AnnouncementBar />
      <MassDeletions />
    </>
  )
}

/** The way to the administrators' pages, for administrators alone. */
export function AdminEntry({ onChoose }: { readonly onChoose?: () => void }) {
  const { data } = useQuery({ ...storageQuery, refetchOnMount: false })
  return data?.is_admin ? (
    <NavigationEntry item={{ path: '/admin', label: 'Admin', Icon: IconSettings }} onChoose={onChoose} />
  ) : null
}
