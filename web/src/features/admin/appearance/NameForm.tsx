import { DEFAULT_ACCENT, deriveAccent } from '@alcove/contract/accent'
import type { Appearance } from '@alcove/contract/admin-site'
import { MAX_SITE_NAME_LENGTH } from '@alcove/contract/limits'
import { TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import styles from './AppearanceSection.module.css'
import { useSaveAppearance } from './queries.ts'
import { SaveState } from './SaveState.tsx'

const COLOR = /^#[\da-f]{6}$/i

/** Sets the name of the site, its color and the address for questions. */
export function NameForm({ appearance }: { readonly appearance: Appearance }) {
  const { defaults } = appearance
  const save = useSaveAppearance()
  const [name, setName] = useState(appearance.name)
  const [supportEmail, setSupportEmail] = useState(appearance.supportEmail ?? '')
  const [accent, setAccent] = useState(appearance.accent ?? '')
  const color = COLOR.test(accent.trim()) ? accent.trim().toLowerCase() : undefined

  function submit(event: SubmitEvent) {
    event.preventDefault()
    save.mutate({ name, supportEmail: supportEmail.trim() || null, accent: accent.trim() || null })
  }

  return (
    <form className={styles.form} onSubmit={submit} onChange={() => save.isSuccess && save.reset()} noValidate>
      <SaveState action={save} saved="Saved. Pages show it when they are loaded the next time." />
      <TextInput
        label="Name of the site"
        description={`In the header, in titles and in mails. Usually ${defaults.name}.`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        dir="auto"
        autoComplete="off"
        maxLength={MAX_SITE_NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Support address"
        description="Where users write if they need help. Mails name it, and replies go there."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        type="email"
        autoComplete="off"
        placeholder={defaults.supportEmail}
        value={supportEmail}
        onChange={(event) => setSupportEmail(event.currentTarget.value)}
      />
      <div className={styles.color}>
        <TextInput
          label="Accent color"
          autoComplete="off"
          spellCheck={false}
          placeholder={DEFAULT_ACCENT}
          value={accent}
          onChange={(event) => setAccent(event.currentTarget.value)}
        />
        <input
          className={styles.picker}
          type="color"
          aria-label="Choose the accent color"
          value={color ?? DEFAULT_ACCENT}
          onChange={(event) => setAccent(event.currentTarget.value)}
        />
      </div>
      <Samples accent={color ?? DEFAULT_ACCENT} />
      <div className={styles.actions}>
        <BusyButton type="submit" loading={save.isPending}>
          Save
        </BusyButton>
      </div>
    </form>
  )
}

/** Shows what becomes of an accent in both color schemes. */
function Samples({ accent }: { readonly accent: string }) {
  const { light, dark } = deriveAccent(accent)
  const schemes = [
    { name: 'Light', colors: light, wall: '#ffffff' },
    { name: 'Dark', colors: dark, wall: '#131c18' },
  ]
  return (
    <>
      <div className={styles.samples}>
        {schemes.map(({ name, colors, wall }) => (
          <div key={name} className={styles.sample} style={{ backgroundColor: wall, color: colors['primary-text'] }}>
            <span
              className={styles.sampleButton}
              style={{ backgroundColor: colors.primary, color: colors['on-primary'] }}
            >
              {name}
            </span>
            <span>Text of a link</span>
          </div>
        ))}
      </div>
      <p className={styles.text}>
        {light.primary === accent
          ? 'Shades for dark mode and for texts are derived from it, so that everything can be read.'
          : `On light backgrounds, white text can’t be read on this color, so buttons get ${light.primary}.`}
      </p>
    </>
  )
}
