import { Anchor, Checkbox, VisuallyHidden } from '@mantine/core'

interface AgreementBoxProps {
  readonly document: string
  readonly path: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

/** Consent to a legal page, which opens in a new tab so that the form is not lost. */
export function AgreementBox({ document, path, checked, onChange }: AgreementBoxProps) {
  return (
    <Checkbox
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={
        <>
          I agree to the{' '}
          <Anchor href={path} target="_blank" rel="noopener" underline="always" inherit>
            {document}
            <VisuallyHidden component="span"> (opens in a new tab)</VisuallyHidden>
          </Anchor>
        </>
      }
    />
  )
}
