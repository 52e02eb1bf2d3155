import {
  activateUser,
  cancelUserDeletion,
  endUserTwoFactor,
  scheduleUserDeletion,
  setUserRole,
  signUserOut,
  suspendUser,
  type UserDetails,
  unsuspendUser,
} from '@alcove/contract/admin-users'
import type { AnyCall, InputOf } from '@alcove/contract/call'
import { NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { useAction } from '../../../api/use-call.ts'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { sendAction } from './send-action.ts'
import { PlanField, QuotaField } from './UserAllowance.tsx'
import styles from './UserDetails.module.css'

interface UserActionsProps {
  readonly user: UserDetails
  /** Called when the user has been deleted. */
  readonly onGone: () => void
}

/** What administrators can do with a user. Nothing dangerous is offered for the own account. */
export function UserActions({ user, onGone }: UserActionsProps) {
  const isOwn = user.id === useSession().userId
  const actions = useRef<HTMLDivElement>(null)
  useFocusFallback(actions, JSON.stringify(user))
  return (
    <div ref={actions} className={styles.actions} tabIndex={-1}>
      <PlanField user={user} />
      <QuotaField user={user} />
      <Group heading="Sign-in">
        {user.state === 'unconfirmed' && (
          <Action user={user} call={activateUser} input={{ id: user.id }}>
            Activate without the mail
          </Action>
        )}
        <Action
          user={user}
          call={signUserOut}
          input={{ id: user.id }}
          question={{
            question: 'Sign this user out everywhere?',
            verb: 'Sign out',
            detail: 'App passwords still work.',
          }}
        >
          Sign out everywhere
        </Action>
        {user.appPasswords > 0 && (
          <Action
            user={user}
            call={signUserOut}
            input={{ id: user.id, appPasswords: true }}
            question={{
              question: 'Sign out and revoke all app passwords?',
              verb: 'Revoke',
              detail: 'Each app needs a new app password, which only the user can create.',
            }}
          >
            Sign out apps too
          </Action>
        )}
        {user.hasTwoFactor && (
          <Action
            user={user}
            call={endUserTwoFactor}
            input={{ id: user.id }}
            question={{
              question: 'Turn off two-factor sign-in?',
              verb: 'Turn off',
              detail: 'Do this only if you are sure who asks for it. The user gets a mail.',
            }}
          >
            Turn off two-factor sign-in
          </Action>
        )}
      </Group>
      {isOwn ? (
        <p className={styles.hint}>
          This is your own account. Another administrator can change its role, suspend it or delete it.
        </p>
      ) : (
        <>
          <Group heading="Role">
            {user.role === 'admin' ? (
              <Action
                user={user}
                call={setUserRole}
                input={{ id: user.id, role: 'user' }}
                question={{ question: 'Take the role of an administrator away?', verb: 'Take away' }}
              >
                Make an ordinary user
              </Action>
            ) : (
              <Action
                user={user}
                call={setUserRole}
                input={{ id: user.id, role: 'admin' }}
                question={{
                  question: 'Make this user an administrator?',
                  verb: 'Make administrator',
                  detail: 'Administrators manage users and the server. They can’t read the files of others.',
                }}
              >
                Make an administrator
              </Action>
            )}
          </Group>
          <Group heading="Account">
            {user.state === 'deletion' ? (
              <Action user={user} call={cancelUserDeletion} input={{ id: user.id }}>
                Keep this account
              </Action>
            ) : user.state === 'suspended' ? (
              <Action user={user} call={unsuspendUser} input={{ id: user.id }}>
                End the suspension
              </Action>
            ) : (
              <Action
                user={user}
                call={suspendUser}
                input={{ id: user.id }}
                question={{
                  question: 'Suspend this account?',
                  verb: 'Suspend',
                  detail:
                    'Sessions, apps, public links, shared folders and running uploads end at once. Nothing is deleted, and you can end the suspension.',
                }}
              >
                Suspend
              </Action>
            )}
          </Group>
          {user.state !== 'deletion' && <DeleteField user={user} onGone={onGone} />}
        </>
      )}
    </div>
  )
}

function Group({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <section className={styles.group}>
      <h3 className={styles.heading}>{heading}</h3>
      <div className={styles.buttons}>{children}</div>
    </section>
  )
}

interface ActionProps<C extends AnyCall> {
  readonly user: UserDetails
  readonly call: C
  readonly input: InputOf<C>
  /** Asked first. */
  readonly question?: Parameters<typeof confirm>[0]
  readonly children: string
}

/** A button that makes a call and says what was done. */
function Action<C extends AnyCall>({ user, call, input, question, children }: ActionProps<C>) {
  const queryClient = useQueryClient()
  const action = useAction(async () => {
    if (question && !(await confirm(question))) return
    await sendAction(queryClient, user.id, call, input)
  })
  return (
    <BusyButton
      variant="default"
      size="sm"
      data-opener={children}
      loading={action.isPending}
      onClick={() => action.mutate()}
    >
      {children}
    </BusyButton>
  )
}

const graces = [
  { value: '30', label: 'in 30 days' },
  { value: '7', label: 'in 7 days' },
  { value: '90', label: 'in 90 days' },
  { value: '0', label: 'now' },
] as const

function DeleteField({ user, onGone }: UserActionsProps) {
  const queryClient = useQueryClient()
  const [days, setDays] = useState('30')
  const action = useAction(async () => {
    const isNow = days === '0'
    const isConfirmed = await confirm({
      question: isNow ? `Delete ${user.email} now?` : `Delete ${user.email} in ${days} days?`,
      verb: 'Delete',
      detail: isNow
        ? 'The account and all its files are deleted permanently. This can’t be undone.'
        : 'Until then the account is suspended, the user gets a mail with the date, and you can keep the account.',
    })
    if (!isConfirmed) return
    const isDone = await sendAction(queryClient, user.id, scheduleUserDeletion, { id: user.id, days: Number(days) })
    if (isDone && isNow) onGone()
  })
  return (
    <section className={styles.group}>
      <h3 className={styles.heading}>Delete the account</h3>
      <div className={styles.field}>
        <NativeSelect
          aria-label="When the account is deleted"
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
          data={[...graces]}
        />
        <BusyButton color="brick" data-opener="delete" loading={action.isPending} onClick={() => action.mutate()}>
          Delete
        </BusyButton>
      </div>
    </section>
  )
}
