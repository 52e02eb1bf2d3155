import type { Link } from '@alcove/contract/links'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { nameOfLink } from './link-texts.ts'

/** Asks whether to delete a link. */
export function confirmDeletion(link: Pick<Link, 'label' | 'title' | 'right' | 'receivedFiles'>): Promise<boolean> {
  return confirm({
    question: `Are you sure you want to delete the link “${nameOfLink(link)}”?`,
    detail: `Nobody can open it any more.${link.receivedFiles > 0 ? ' The files that it received stay.' : ''}`,
    verb: 'Delete',
  })
}
