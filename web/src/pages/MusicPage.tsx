import { IconUpload } from '@tabler/icons-react'
import { MusicView } from '../features/media/MusicView.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'
import { FilePickerButton } from '../uploader/file-input/FilePickerButton.tsx'
import { uploadFiles } from '../uploader/file-input/upload-chosen.ts'

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
