import { MAX_LEGAL_TEXT_LENGTH } from '@alcove/contract/limits'
import { Textarea } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { Link } from 'react-router'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import styles from './AppearanceSection.module.css'
import { useSaveLegalTexts } from './queries.ts'
import { SaveState } from './SaveState.tsx'

interface LegalTextsFormProps {
  readonly texts: { readonly terms: string; readonly privacy: string }
}

/** Sets the terms of service and the privacy policy. */
export function LegalTextsForm({ texts }: LegalTextsFormProps) {
  const save = useSaveLegalTexts()
  const [terms, setTerms] = useState(texts.terms)
  const [privacy, setPrivacy] = useState(texts.privacy)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    save.mutate({ terms, privacy })
  }

  return (
    <form
      className={`${styles.form} ${styles.legal}`}
      onSubmit={submit}
      onChange={() => save.isSuccess && save.reset()}
      noValidate
    >
      <SaveState action={save} saved="Saved. Pages show it when they are loaded the next time." />
      <p className={styles.text}>
        Write Markdown: headings begin with #, lists with a hyphen. Where a text is empty, pages show the one of the
        product: <Link to="/terms-of-service">terms of service</Link>, <Link to="/privacy-policy">privacy policy</Link>.
      </p>
      <Textarea
        label="Terms of service"
        dir="auto"
        rows={8}
        maxLength={MAX_LEGAL_TEXT_LENGTH}
        value={terms}
        onChange={(event) => setTerms(event.currentTarget.value)}
      />
      <Textarea
        label="Privacy policy"
        dir="auto"
        rows={8}
        maxLength={MAX_LEGAL_TEXT_LENGTH}
        value={privacy}
        onChange={(event) => setPrivacy(event.currentTarget.value)}
      />
      <div className={styles.actions}>
        <BusyButton type="submit" loading={save.isPending}>
          Save
        </BusyButton>
      </div>
    </form>
  )
}
