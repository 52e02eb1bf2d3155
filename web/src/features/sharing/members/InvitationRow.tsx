import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { formatDay } from '../../../lib/format.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { FolderGlyph } from '../../../ui/FolderGlyph.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { describeOwnRole, nameOfPerson, nameOfRole } from './member-texts.ts'
import { type Invitation, useRespond } from './queries.ts'
import styles from './SharedWithMeList.module.css'

/** An open invitation, which the user accepts or declines. */
export function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const { folderName, owner, role, invitedAt } = invitation
  const { mutate: respond, isPending, variables: accepts } = useRespond(invitation)
  return (
    <li className={styles.row}>
      <span className={styles.folder}>
        <FolderGlyph size={32} />
      </span>
      <div className={styles.what}>
        <ItemName name={folderName} className={styles.name} />
        <p className={styles.who}>
          <bdi dir="auto">{nameOfPerson(owner)}</bdi>
          {owner.displayName && (
            <>
              {' '}
              (<bdi>{owner.email}</bdi>)
            </>
          )}{' '}
          invited you on {formatDay(invitedAt)}
        </p>
        <p className={styles.who}>
          {nameOfRole(role)}: {describeOwnRole(role)}
        </p>
      </div>
      <div className={styles.answers}>
        <Button
          variant="default"
          aria-label={`Decline “${folderName}”`}
          aria-disabled={isPending || undefined}
          onClick={() => respond(false)}
        >
          Decline
        </Button>
        <BusyButton
          aria-label={`Accept “${folderName}”`}
          leftSection={<IconCheck size={18} stroke={1.75} />}
          loading={isPending && accepts}
          onClick={() => respond(true)}
        >
          Accept
        </BusyButton>
      </div>
    </li>
  )
}
