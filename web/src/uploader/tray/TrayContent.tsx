import type { UploadsSnapshot } from '../engine/upload-snapshot.ts'
import { TrayHeader } from './TrayHeader.tsx'
import { UnfinishedLine } from './UnfinishedLine.tsx'
import { UploadList } from './UploadList.tsx'

interface TrayContentProps {
  readonly snapshot: UploadsSnapshot
  readonly isCollapsed: boolean
  readonly onCollapse: () => void
  readonly onClose: () => void
}

/** What stands in the tray, which most visits never open. */
export function TrayContent({ snapshot, isCollapsed, onCollapse, onClose }: TrayContentProps) {
  return (
    <>
      <TrayHeader snapshot={snapshot} isCollapsed={isCollapsed} onCollapse={onCollapse} onClose={onClose} />
      {snapshot.filesNeeded > 1 && <UnfinishedLine count={snapshot.filesNeeded} />}
      {!isCollapsed && <UploadList snapshot={snapshot} />}
    </>
  )
}
