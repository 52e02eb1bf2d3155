import { IconFileUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { uploads } from '../../lib/uploads.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { notifyError } from '../../ui/notify.tsx'

interface ChooseAgainButtonProps {
  readonly id: string
  readonly name: string
}

/** Asks for the file of an upload that a reload interrupted: a page cannot reach for it by itself. */
export function ChooseAgainButton({ id, name }: ChooseAgainButtonProps) {
  const input = useRef<HTMLInputElement>(null)

  async function goOn(files: FileList | null) {
    const file = files?.[0]
    if (!file) return
    const problem = await uploads.resumeWith(id, file)
    if (problem) notifyError(problem)
  }

  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        onChange={(event) => {
          void goOn(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <IconButton label={`Choose ${name} again to resume`} onClick={() => input.current?.click()}>
        <IconFileUpload size={18} stroke={1.75} />
      </IconButton>
    </>
  )
}
