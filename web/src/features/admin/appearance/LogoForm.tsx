import type { Appearance } from '@alcove/contract/admin-site'
import { MAX_LOGO_BYTES } from '@alcove/contract/limits'
import { Button, Switch } from '@mantine/core'
import { useRef, useState } from 'react'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import styles from './AppearanceSection.module.css'
import { useDeleteLogo, useReplaceLogo, useShowsName } from './queries.ts'
import { SaveState } from './SaveState.tsx'

/** Sets the logo. The server draws it anew, so it can be any file that claims to be a picture. */
export function LogoForm({ appearance }: { readonly appearance: Appearance }) {
  const { logo, showsName, name } = appearance
  const input = useRef<HTMLInputElement>(null)
  const replace = useReplaceLogo()
  const remove = useDeleteLogo()
  const [showsNameNow, showName] = useShowsName(showsName)
  const [problem, setProblem] = useState<string>()
  const shown = [remove, replace].find(({ isError, isSuccess }) => isError || isSuccess)

  async function choose(file: File | undefined) {
    remove.reset()
    replace.reset()
    setProblem(undefined)
    if (!file) return
    if (file.size > MAX_LOGO_BYTES) return setProblem(`A logo can have up to ${MAX_LOGO_BYTES / 1024} KiB.`)
    replace.mutate({ image: toBase64(new Uint8Array(await file.arrayBuffer())) })
  }

  return (
    <div className={styles.form}>
      {problem && <Notice tone="error" text={problem} />}
      {shown && <SaveState action={shown} saved={logo ? 'Logo saved.' : 'Logo removed.'} />}
      {logo && (
        <div className={styles.logo}>
          <img src={logo.url} alt={`Logo of ${name}`} />
        </div>
      )}
      <p className={styles.text}>
        A PNG, SVG or WebP of up to {MAX_LOGO_BYTES / 1024} KiB. It is also the icon in the tabs of browsers, and the
        logo in mails.
      </p>
      {logo && (
        <Switch
          label="Show the name beside the logo"
          description="Switch it off if the logo contains the name."
          checked={showsNameNow}
          onChange={({ currentTarget: { checked } }) => showName(checked)}
        />
      )}
      <input
        ref={input}
        type="file"
        accept="image/png,image/svg+xml,image/webp"
        aria-label="File of the logo"
        hidden
        onChange={(event) => {
          void choose(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <div className={styles.actions}>
        <BusyButton variant="default" loading={replace.isPending} onClick={() => input.current?.click()}>
          {logo ? 'Replace the logo' : 'Choose a logo'}
        </BusyButton>
        {logo && (
          <Button
            variant="subtle"
            loading={remove.isPending}
            onClick={() => {
              replace.reset()
              remove.mutate({})
            }}
          >
            Remove
          </Button>
        )}
      </div>
    </div>
  )
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  // All at once would be too many arguments.
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192))
  }
  return btoa(text)
}
