import { findNameProblem, normalizeName } from '@alcove/contract/names'
import type { ComponentProps } from 'react'
import { NameForm } from '../../../ui/NameForm.tsx'

interface ItemNameFormProps extends Omit<ComponentProps<typeof NameForm>, 'check' | 'label'> {
  /** What is said about an empty name; without it an empty name just closes the form. */
  readonly emptyMessage?: string
}

/** Asks for the name of a folder, by the rules for names of items. */
export function ItemNameForm({ emptyMessage, ...form }: ItemNameFormProps) {
  const check = (typed: string) => {
    const name = normalizeName(typed)
    const isNothing = name === '' && emptyMessage === undefined
    return { name, problem: isNothing ? undefined : findNameProblem(name, emptyMessage ?? '') }
  }
  return <NameForm {...form} label="Folder Name" check={check} />
}
