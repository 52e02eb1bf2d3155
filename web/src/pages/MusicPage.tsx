import { IconUpload } from '@tabler/icons-react'
import { MusicView } from '../features/media/MusicView.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'
import { FilePickerButton } from '../uploader/tray/FilePickerButton.tsx'
import { uploadFiles } from '../uploader/tray/upload-chosen.ts'

export function MusicPage() {
  return (
    <>
      <PageHeading>Music</PageHeading>
      <MusicView
        emptyAction={
          <FilePickerButton
            picks="files"
            leftSection={<IconUpload size={18} stroke={1.75} />}
            onPick={(files) => uploadFiles(files, {})}
          >
            Upload music
          </FilePickerButton>
        }
      />
    </>
  )
}
