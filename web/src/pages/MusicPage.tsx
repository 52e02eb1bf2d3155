import { IconUpload } from '@tabler/icons-react'
import { MusicView } from '../features/media/MusicView.tsx'
import { FilePickerButton } from '../features/uploads/FilePickerButton.tsx'
import { uploadFiles } from '../features/uploads/upload-chosen.ts'
import { PageHeading } from '../ui/PageHeader.tsx'

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
