import { Button, type ButtonProps } from '@mantine/core'
import { useRef } from 'react'
import { readFileMetadata } from './read-file-metadata.ts'

interface FilePickerButtonProps extends ButtonProps {
  readonly picks: 'files' | 'folder'
  /** The types of files that the browser offers, as of the `accept` attribute. */
  readonly accept?: string
  readonly onPick: (files: File[]) => void
}

/** A button that opens the browser's dialog for files or a folder. */
export function FilePickerButton({ picks, accept, onPick, ...button }: FilePickerButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={(element) => {
          input.current = element
          if (element) element.webkitdirectory = picks === 'folder'
        }}
        type="file"
        multiple
        accept={accept}
        hidden
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          void readFileMetadata(files).then(() => onPick(files))
          event.currentTarget.value = '' // so that choosing the same file again fires an event
        }}
      />
      <Button {...button} onClick={() => input.current?.click()} />
    </>
  )
}
