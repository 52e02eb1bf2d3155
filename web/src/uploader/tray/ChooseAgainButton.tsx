import { IconFileUpload, IconFolderUp } from '@tabler/icons-react'
import { useRef } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import type { UploadView } from '../engine/upload-view.ts'
import { chooseAgain } from './choose-again.ts'

interface ChooseAgainButtonProps {
  readonly upload: UploadView
}

/** Asks for the file, or the folder, of an upload that a reload interrupted: a page cannot reach for it by itself. */
export function ChooseAgainButton({ upload }: ChooseAgainButtonProps) {
  const { id, name, kind } = upload
  const input = useRef<HTMLInputElement | null>(null)
  return (
    <>
      <input
        ref={(element) => {
          input.current = element
          if (element) element.webkitdirectory = kind === 'folder'
        }}
        type="file"
        hidden
        onChange={(event) => {
          void chooseAgain([...(event.currentTarget.files ?? [])], id)
          event.currentTarget.value = ''
        }}
      />
      <IconButton
        label={`Choose ${name} again to resume`}
        disabled={upload.isChecking}
        onClick={() => input.current?.click()}
      >
        {kind === 'folder' ? <IconFolderUp size={18} stroke={1.75} /> : <IconFileUpload size={18} stroke={1.75} />}
      </IconButton>
    </>
  )
}
