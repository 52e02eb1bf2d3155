import { type UserState, userStates } from '@alcove/contract/user-states'
import { NativeSelect, Skeleton, TextInput, VisuallyHidden } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { plural } from '../../../lib/format.ts'
import { hasPlans } from '../../../lib/site.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { usePlanChoices, useUsers } from './queries.ts'
import { UserList } from './UserList.tsx'
import styles from './Users.module.css'
import { orders, stateNames, type UserOrder } from './user-texts.ts'

const FETCH_FAILED = 'Couldn’t load the users.'
/** The search begins when nobody has typed for this long, in milliseconds. */
const TYPING_PAUSE = 250

/** The list of all users, with search, filters and order. */
export function UsersSection() {
  const { params, change } = useParameters()
  const { search, state, role, planId, order } = params
  const [text, setText] = useState(search)
  /** The search in the address, and the one that this field has put there. */
  const [known, setKnown] = useState({ search, asked: search })
  if (search !== known.search) {
    // The address was changed by something else, such as the link of this page.
    if (search !== known.asked) setText(search)
    setKnown({ search, asked: search })
  }
  const plans = usePlanChoices()
  useEffect(() => {
    if (text.trim() === search) return
    const timer = window.setTimeout(() => {
      setKnown((before) => ({ ...before, asked: text.trim() }))
      change('search', text.trim())
    }, TYPING_PAUSE)
    return () => window.clearTimeout(timer)
  }, [text, search, change])

  const query = useUsers({
    search: search || undefined,
    state: state || undefined,
    role: role || undefined,
    planId: /^\d{1,9}$/.test(planId) ? Number(planId) : undefined,
    order,
  })
  const { users, total, isError, isFetching, refetch, isFetchNextPageError } = query
  const isFiltered = search !== '' || state !== '' || role !== '' || planId !== ''

  return (
    <>
      <search className={styles.bar}>
        <TextInput
          className={styles.search}
          type="search"
          aria-label="Search users"
          placeholder="Search by address or name"
          leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
          maxLength={254}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <NativeSelect
          aria-label="State"
          value={state}
          onChange={(event) => change('state', event.currentTarget.value)}
          data={[
            { value: '', label: 'All states' },
            ...userStates.map((one) => ({ value: one, label: stateNames[one] })),
          ]}
        />
        <NativeSelect
          aria-label="Role"
          value={role}
          onChange={(event) => change('role', event.currentTarget.value)}
          data={[
            { value: '', label: 'All roles' },
            { value: 'admin', label: 'Administrators' },
          ]}
        />
        {(hasPlans() || planId !== '') && (
          <NativeSelect
            aria-label="Plan"
            value={planId}
            onChange={(event) => change('plan', event.currentTarget.value)}
            data={[{ value: '', label: 'All plans' }, ...plans.onSale, ...plans.former]}
          />
        )}
        <NativeSelect
          aria-label="Order"
          value={order}
          onChange={(event) => change('order', event.currentTarget.value)}
          data={[...orders]}
        />
      </search>
      <p className={styles.count} role="status">
        {total !== undefined && (isFiltered ? `${plural(total, 'user')} found` : plural(total, 'user'))}
      </p>
      {users && users.length > 0 && <UserList users={users} total={total ?? users.length} query={query} />}
      {users?.length === 0 && (
        <p className={styles.empty}>
          {isFiltered ? 'Nobody matches. Change the search or the filters.' : 'There are no users.'}
        </p>
      )}
      {!users && !isError && <Loading />}
      {isError && !isFetchNextPageError && (
        <LoadError text={FETCH_FAILED} isBusy={isFetching} onRetry={() => void refetch()} />
      )}
    </>
  )
}

/** What the list shows is in the page's address, so that Back and a reload keep it. What isn't valid there is left out. */
function useParameters() {
  const [found, setFound] = useSearchParams()
  const pick = <T extends string>(name: string, values: readonly T[]) =>
    values.find((value) => value === found.get(name))
  const params = {
    search: found.get('search') ?? '',
    state: pick<UserState | ''>('state', userStates) ?? '',
    role: pick('role', ['admin']) ?? '',
    planId: found.get('plan') ?? '',
    order:
      pick<UserOrder>(
        'order',
        orders.map(({ value }) => value),
      ) ?? 'email asc',
  } as const
  const change = useCallback(
    (name: string, value: string) =>
      setFound(
        (before) => {
          if (value) before.set(name, value)
          else before.delete(name)
          return before
        },
        { replace: true },
      ),
    [setFound],
  )
  return { params, change }
}

function Loading() {
  return (
    <>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      <Skeleton height={320} radius={16} />
    </>
  )
}
