import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { Navigate, NavLink, useParams } from 'react-router'
import { storageQuery } from '../api/fetch-storage.ts'
import { LoadError } from '../ui/LoadError.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'
import styles from './AdminPage.module.css'
import { adminSections } from './admin-sections.ts'

/** What administrators see: `/admin/<section>`. Everyone else is led away as from an address where nothing is. */
export function AdminPage() {
  const { section: name } = useParams()
  const { data, isError, isFetching, refetch } = useQuery(storageQuery)
  const section = adminSections.find(({ path }) => path === name)
  const navigation = useRef<HTMLElement>(null)
  // On a phone the sections are a row that scrolls.
  useEffect(() => {
    const link = navigation.current?.querySelector<HTMLElement>(`[href="/admin/${name}"]`)
    if (link && navigation.current) navigation.current.scrollLeft = link.offsetLeft - navigation.current.offsetLeft - 60
  }, [name])
  if (data && !data.is_admin) return <Navigate to="/" replace />
  if (!section) return <Navigate to={`/admin/${adminSections[0]?.path}`} replace />
  return (
    <>
      <PageHeading>Admin</PageHeading>
      <div className={styles.page}>
        <nav ref={navigation} className={styles.navigation} aria-label="Admin">
          <ul className={styles.links}>
            {adminSections.map(({ path, label, Icon }) => (
              <li key={path}>
                <NavLink className={styles.link} to={`/admin/${path}`}>
                  <Icon size={18} stroke={1.75} aria-hidden />
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.section}>
          <h2 className={styles.title}>{section.label}</h2>
          {data ? (
            <Suspense fallback={<Loading />}>
              <section.Section />
            </Suspense>
          ) : isError ? (
            <LoadError text="Unable to load this page." isBusy={isFetching} onRetry={() => void refetch()} />
          ) : (
            <Loading />
          )}
        </div>
      </div>
    </>
  )
}

function Loading() {
  return (
    <>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      <Skeleton height={240} radius={16} />
    </>
  )
}
