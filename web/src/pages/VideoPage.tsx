import { IconUpload } from '@tabler/icons-react'
import { VideoView } from '../features/media/video/VideoView.tsx'
import { FilePickerButton } from '../features/uploads/FilePickerButton.tsx'
import { uploadFiles } from '../features/uploads/upload-chosen.ts'
import { PageHeading } from '../ui/PageHeader.tsx'

export function VideoPage() {
  return (
    <>
      <PageHeading>Video</PageHeading>
      <VideoView
        emptyAction={
          <FilePickerButton
            picks="files"
            leftSection={<IconUpload size={18} stroke={1.75} />}
            onPick={(files) => uploadFiles(files, {})}
          >
            Upload video
          </FilePickerButton>
        }
      />
    </>
  )
}
