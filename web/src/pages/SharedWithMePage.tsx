import { folderAddress } from '../features/files/folder-address.ts'
import { SharedWithMeList } from '../features/sharing/members/SharedWithMeList.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'

export function SharedWithMePage() {
  return (
    <>
      <PageHeading>Shared with me</PageHeading>
      <SharedWithMeList addressOf={folderAddress} />
    </>
  )
}
