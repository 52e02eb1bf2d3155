import { IconUpload } from '@tabler/icons-react'
import { VideoView } from '../features/media/video/VideoView.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'
import { FilePickerButton } from '../uploader/file-input/FilePickerButton.tsx'
import { uploadFiles } from '../uploader/file-input/upload-chosen.ts'

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
