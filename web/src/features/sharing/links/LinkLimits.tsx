import { MAX_LINK_MESSAGE_LENGTH, MAX_LINK_TITLE_LENGTH } from '@alcove/contract/limits'
import type { VisitorName } from '@alcove/contract/links'
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import styles from './LinkForm.module.css'
import type { FieldProblems, LinkFields, TypedSize } from './link-settings.ts'

export interface FieldsProps {
  readonly fields: LinkFields
  readonly problems: FieldProblems
  readonly onChange: (changes: Partial<LinkFields>) => void
}

const nameRules: readonly { value: VisitorName; label: string }[] = [
  { value: 'none', label: 'Don’t ask' },
  { value: 'optional', label: 'Optional' },
  { value: 'required', label: 'Required' },
]

/** What visitors read and answer before they send files. */
export function RequestFields({ fields, problems, onChange }: FieldsProps) {
  return (
    <>
      <TitleFields fields={fields} problems={problems} onChange={onChange} />
      <NativeSelect
        label="Name of the visitor"
        data={[...nameRules]}
        value={fields.visitorName}
        onChange={(event) => onChange({ visitorName: event.currentTarget.value as VisitorName })}
      />
      <Checkbox
        label="Put the files of each visitor into a folder of their own"
        checked={fields.folderPerVisitor}
        onChange={(event) => onChange({ folderPerVisitor: event.currentTarget.checked })}
      />
    </>
  )
}

type TitleFieldsProps = {
  readonly fields: Pick<LinkFields, 'title' | 'message'>
  readonly problems: Pick<FieldProblems, 'title' | 'message'>
  readonly onChange: (changes: Partial<Pick<LinkFields, 'title' | 'message'>>) => void
  readonly isFirst?: boolean
}

/** The title and the text that visitors read. */
export function TitleFields({ fields, problems, onChange, isFirst = false }: TitleFieldsProps) {
  return (
    <>
      <TextInput
        label="Title"
        data-autofocus={isFirst || undefined}
        autoComplete="off"
        dir="auto"
        maxLength={MAX_LINK_TITLE_LENGTH}
        value={fields.title}
        error={problems.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <Textarea
        label="Text for visitors"
        placeholder="Please send the photos of Saturday."
        dir="auto"
        rows={3}
        maxLength={MAX_LINK_MESSAGE_LENGTH}
        value={fields.message}
        error={problems.message}
        onChange={(event) => onChange({ message: event.currentTarget.value })}
      />
    </>
  )
}

export function DownloadLimit({ fields, problems, onChange }: FieldsProps) {
  return (
    <TextInput
      label="Number of downloads"
      description="Previews are off while downloads are limited."
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      inputMode="numeric"
      autoComplete="off"
      placeholder="No limit"
      value={fields.maxDownloads}
      error={problems.maxDownloads}
      onChange={(event) => onChange({ maxDownloads: event.currentTarget.value })}
    />
  )
}

export function UploadLimits({ fields, problems, onChange }: FieldsProps) {
  return (
    <>
      <TextInput
        label="File types"
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="All, or for example: pdf, jpg"
        value={fields.fileTypes}
        error={problems.fileTypes}
        onChange={(event) => onChange({ fileTypes: event.currentTarget.value })}
      />
      <SizeField
        label="Size of a file"
        size={fields.maxFileBytes}
        problem={problems.maxFileBytes}
        onChange={(maxFileBytes) => onChange({ maxFileBytes })}
      />
      <SizeField
        label="Size of all files together"
        size={fields.maxBytes}
        problem={problems.maxBytes}
        onChange={(maxBytes) => onChange({ maxBytes })}
      />
      <TextInput
        label="Number of files"
        inputMode="numeric"
        autoComplete="off"
        placeholder="No limit"
        value={fields.maxFiles}
        error={problems.maxFiles}
        onChange={(event) => onChange({ maxFiles: event.currentTarget.value })}
      />
    </>
  )
}

interface SizeFieldProps {
  readonly label: string
  readonly size: TypedSize
  readonly problem: string | undefined
  readonly onChange: (size: TypedSize) => void
}

function SizeField({ label, size, problem, onChange }: SizeFieldProps) {
  return (
    <div className={styles.size}>
      <TextInput
        className={styles.number}
        label={label}
        inputMode="decimal"
        autoComplete="off"
        placeholder="No limit"
        value={size.value}
        error={problem}
        onChange={(event) => onChange({ ...size, value: event.currentTarget.value })}
      />
      <NativeSelect
        className={styles.unit}
        aria-label={`${label}: unit`}
        data={['MB', 'GB']}
        value={size.unit}
        onChange={(event) => onChange({ ...size, unit: event.currentTarget.value as TypedSize['unit'] })}
      />
    </div>
  )
}
