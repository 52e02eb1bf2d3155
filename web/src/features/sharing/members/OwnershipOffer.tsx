import type { SharedFolder } from '@alcove/contract/members'
import { Button } from '@mantine/core'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { useAnswerOffer } from './hand-over.tsx'
import { nameOfPerson } from './member-texts.ts'
import styles from './SharedWithMeList.module.css'

/** The offer to become the owner of a shared folder, which the user accepts or declines. */
export function OwnershipOffer({ folder }: { readonly folder: SharedFolder }) {
  const { name, owner } = folder
  const { mutate: answer, isPending, variables: accepts } = useAnswerOffer(folder)
  return (
    <div className={styles.offer}>
      <p className={styles.who}>
        <bdi dir="auto">{nameOfPerson(owner)}</bdi> wants to make you the owner.
      </p>
      <div className={styles.answers}>
        <Button
          variant="default"
          aria-label={`Decline to own “${name}”`}
          aria-disabled={isPending || undefined}
          onClick={() => answer(false)}
        >
          Decline
        </Button>
        <BusyButton aria-label={`Accept to own “${name}”`} loading={isPending && accepts} onClick={() => answer(true)}>
          Accept
        </BusyButton>
      </div>
    </div>
  )
}
