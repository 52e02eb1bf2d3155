import { getMaintenance } from '@alcove/contract/site'
import { Button, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { send } from '../../api/api.ts'
import { maintenance } from '../../api/site-state.ts'
import { afterDialogs } from '../../ui/dialogs/open-layers.ts'
import { Logo } from '../../ui/Logo.tsx'
import styles from './MaintenancePage.module.css'

/** How often the page looks whether the maintenance is over, in milliseconds. Tabs look at different times. */
const INTERVAL = { least: 8_000, more: 7_000 }

interface MaintenancePageProps {
  readonly message: string
  /** Whether the way to the sign-in page is shown: only to those who aren't signed in. */
  readonly offersSignIn: boolean
}

/** Takes the place of every page during maintenance, and gives way by itself when it ends. */
export function MaintenancePage({ message, offersSignIn }: MaintenancePageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useReturn()
  // A dialog that was open is closing, and keeps the focus until then.
  useEffect(() => afterDialogs(() => heading.current?.focus()), [])
  return (
    <main className={styles.page}>
      <Logo />
      <Title order={1} ref={heading} tabIndex={-1} className={styles.title}>
        Under maintenance
      </Title>
      <p className={styles.text} dir="auto">
        {message}
      </p>
      <p className={styles.note}>This page comes back by itself.</p>
      {offersSignIn && (
        <Button variant="subtle" component={Link} to="/login">
          Sign in as an administrator
        </Button>
      )}
    </main>
  )
}

function useReturn(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let isOver = false
    const look = async () => {
      const { message } = await send(getMaintenance, {}).catch(() => ({ message: undefined }))
      if (isOver) return
      if (message !== null) {
        if (message !== undefined) maintenance.set(message)
        plan()
        return
      }
      maintenance.set(undefined)
      // Nothing that failed meanwhile stays on screen.
      void queryClient.resetQueries()
    }
    const plan = () => {
      timer = setTimeout(() => void look(), INTERVAL.least + Math.random() * INTERVAL.more)
    }
    plan()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [queryClient])
}
