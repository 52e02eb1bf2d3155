import { type UserState, userStates } from '@alcove/contract/user-states'
import { NativeSelect, Skeleton, TextInput, VisuallyHidden } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { plural } from '../../../lib/format.ts'
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
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  const [state, setState] = useState<UserState | ''>('')
  const [role, setRole] = useState<'' | 'admin'>('')
  const [planId, setPlanId] = useState('')
  const [order, setOrder] = useState<UserOrder>('email asc')
  const plans = usePlanChoices()
  useEffect(() => {
    const timer = window.setTimeout(() => setSearch(text.trim()), TYPING_PAUSE)
    return () => window.clearTimeout(timer)
  }, [text])

  const query = useUsers({
    search: search || undefined,
    state: state || undefined,
    role: role || undefined,
    planId: planId === '' ? undefined : Number(planId),
    order,
  })
  const { users, total, isError, isFetching, refetch, isFetchNextPageError } = query
  const count = useDeferredValue(total)
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
          onChange={(event) => setState(event.currentTarget.value as UserState | '')}
          data={[
            { value: '', label: 'All states' },
            ...userStates.map((one) => ({ value: one, label: stateNames[one] })),
          ]}
        />
        <NativeSelect
          aria-label="Role"
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as '' | 'admin')}
          data={[
            { value: '', label: 'All roles' },
            { value: 'admin', label: 'Administrators' },
          ]}
        />
        <NativeSelect
          aria-label="Plan"
          value={planId}
          onChange={(event) => setPlanId(event.currentTarget.value)}
          data={[{ value: '', label: 'All plans' }, ...plans]}
        />
        <NativeSelect
          aria-label="Order"
          value={order}
          onChange={(event) => setOrder(event.currentTarget.value as UserOrder)}
          data={[...orders]}
        />
      </search>
      <p className={styles.count} role="status">
        {count !== undefined && (isFiltered ? `${plural(count, 'user')} found` : plural(count, 'user'))}
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

function Loading() {
  return (
    <>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      <Skeleton height={320} radius={16} />
    </>
  )
}
