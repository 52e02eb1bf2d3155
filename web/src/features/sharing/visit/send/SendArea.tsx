import { MAX_DISPLAY_NAME_LENGTH } from '@alcove/contract/limits'
import type { FileRequest } from '@alcove/contract/submissions'
import { Button, TextInput } from '@mantine/core'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useFileDrop, wholePage } from '../../../../items/drag/drag-and-drop.ts'
import { plural } from '../../../../lib/format.ts'
import { useStore } from '../../../../lib/store.ts'
import { useFocusFallback } from '../../../../lib/use-focus-fallback.ts'
import { notifyError } from '../../../../ui/toasts/notify.tsx'
import { type Chosen, groupByFolder, readDropped, renamePasted } from '../../../../uploader/file-input/chosen-files.ts'
import { useFilePaste } from '../../../../uploader/file-input/file-drops.ts'
import { UploadZone } from '../../../../uploader/file-input/UploadZone.tsx'
import { useUploads } from '../../../../uploader/uploads.ts'
import { checkFiles, countChosen, describeLimits, type RefusedFile } from './check-files.ts'
import { RefusedFiles } from './RefusedFiles.tsx'
import styles from './SendArea.module.css'
import type { Sender } from './sender.ts'

interface SendAreaProps {
  readonly sender: Sender
  readonly request: FileRequest
  /** Visitors see the folder that they add files to. */
  readonly isShown?: boolean
}

const HINT = 'Drag files or folders here'
const TEXTS = { hint: HINT, drop: 'Drop to send', folder: 'Choose a folder', files: 'Choose files' }
const TEXTS_OF_SHOWN = { hint: HINT, drop: 'Drop to add', folder: 'Add a folder', files: 'Add files' }

/** Where visitors choose the files that they send: by buttons, by dropping or by pasting them. */
export function SendArea({ sender, request, isShown = false }: SendAreaProps) {
  const { visitorName, fileTypes } = request
  const { secret, name = '' } = useStore(sender.submission)
  const [refused, setRefused] = useState<readonly RefusedFile[]>([])
  /** The files that wait for the name of the visitor. */
  const [waiting, setWaiting] = useState<Chosen>()
  const field = useRef<HTMLInputElement>(null)
  const area = useRef<HTMLDivElement>(null)
  const isNameAsked = visitorName !== 'none' && secret === undefined
  const isNameMissing = visitorName === 'required' && secret === undefined && name.trim() === ''
  useEffect(() => waiting && field.current?.focus(), [waiting])
  useFocusFallback(field, String(isNameAsked))
  useFocusFallback(area, String(isNameAsked))

  function take(chosen: Chosen) {
    const { accepted, refused: others } = checkFiles(chosen, request)
    setRefused(others)
    if (countChosen(accepted) === 0) return
    if (isNameMissing) setWaiting(merge(waiting, accepted))
    else start(accepted)
  }

  function start({ files, folders }: Chosen) {
    setWaiting(undefined)
    if (files.length > 0) {
      sender.queue.addFiles(
        files.map((source) => ({ source })),
        {},
      )
    }
    for (const folder of folders) sender.queue.addFolder(folder.name, folder.files, {}, folder.emptyFolders)
  }

  async function read(items: DataTransferItem[], isPasted = false) {
    try {
      const { files, folders } = await readDropped(items)
      take({ files: isPasted ? files.map((file) => renamePasted(file)) : files, folders })
    } catch {
      notifyError('The folder can’t be read.')
    }
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (waiting && !isNameMissing) start(waiting)
  }

  const isDragging = useFileDrop(wholePage, (items) => void read(items))
  useFilePaste((items) => void read(items, true))

  return (
    <div ref={area} className={styles.area} tabIndex={-1}>
      {isNameAsked && (
        <form className={styles.name} onSubmit={submit} noValidate>
          <TextInput
            ref={field}
            label={visitorName === 'required' ? 'Your name' : 'Your name (optional)'}
            required={visitorName === 'required'}
            withAsterisk={false}
            autoComplete="name"
            dir="auto"
            maxLength={MAX_DISPLAY_NAME_LENGTH}
            value={name}
            error={waiting && isNameMissing && `Enter your name to send ${plural(countChosen(waiting), 'file')}.`}
            onChange={(event) => sender.setName(event.currentTarget.value)}
          />
          {waiting && !isNameMissing && <Button type="submit">Send {plural(countChosen(waiting), 'file')}</Button>}
        </form>
      )}
      {visitorName !== 'none' && secret !== undefined && <SentAs sender={sender} name={name} />}
      <UploadZone
        texts={isShown ? TEXTS_OF_SHOWN : TEXTS}
        accept={fileTypes.length > 0 ? fileTypes.map((type) => `.${type}`).join(',') : undefined}
        isDragging={isDragging}
        onFiles={(files) => files.length > 0 && take({ files, folders: [] })}
        onFolder={(files) =>
          files.length > 0 ? take({ files: [], folders: groupByFolder(files) }) : notifyError('The folder is empty.')
        }
      />
      <Limits request={request} />
      <RefusedFiles files={refused} onClose={() => setRefused([])} />
    </div>
  )
}

function merge(before: Chosen | undefined, { files, folders }: Chosen): Chosen {
  return { files: [...(before?.files ?? []), ...files], folders: [...(before?.folders ?? []), ...folders] }
}

/** Says under which name the files are sent, which another person at this browser can change. */
function SentAs({ sender, name }: { readonly sender: Sender; readonly name: string }) {
  const { uploading, waiting, paused } = useUploads()
  return (
    <p className={styles.sentAs}>
      <span>
        {name.trim() ? (
          <>
            You send as <bdi dir="auto">{name.trim()}</bdi>.
          </>
        ) : (
          'You send without a name.'
        )}
      </span>
      {uploading + waiting + paused === 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => sender.leave()}>
          Change
        </Button>
      )}
    </p>
  )
}

function Limits({ request }: { readonly request: FileRequest }) {
  const limits = describeLimits(request)
  return limits.length > 0 && <p className={styles.limits}>{limits.join(' ')}</p>
}
