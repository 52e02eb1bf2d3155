import { Loader, VisuallyHidden } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useDelayed } from '../lib/use-delayed.ts'
import { countOpenDialogs } from '../ui/dialogs/open-layers.ts'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './viewer-parts.module.css'

interface PreviewSpinnerProps {
  /** The progress between 0 and 1, if known. */
  readonly share?: number
}

/** Shows that a file is loading, once that takes long enough to be noticed. */
export function PreviewSpinner({ share }: PreviewSpinnerProps) {
  const isShown = useDelayed(true, 200)
  if (!isShown) return <div className={styles.place} />
  return (
    <div className={styles.place}>
      <div className={styles.plate}>
        <Loader size={28} color="var(--alcove-lamp)" />
        <VisuallyHidden role="status">Loading...</VisuallyHidden>
        {share !== undefined && <span className={styles.share}>{Math.round(share * 100)}%</span>}
      </div>
    </div>
  )
}

/** The toolbar below a file: zoom, pages, search. */
export function ViewControls({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles.controls} role="toolbar" aria-label={label}>
      {children}
    </div>
  )
}

interface ViewButtonProps {
  readonly label: string
  readonly isPressed?: boolean
  readonly isDisabled?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

export function ViewButton({ label, isPressed, isDisabled, onClick, children }: ViewButtonProps) {
  return (
    <IconButton
      label={label}
      className={styles.button}
      aria-pressed={isPressed}
      // A disabled button would lose the focus.
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && onClick()}
    >
      {children}
    </IconButton>
  )
}

/** Commands by `KeyboardEvent.key`; letters in lower case. */
type KeyCommands = Readonly<Record<string, (() => void) | undefined>>

interface ViewKeysOptions {
  readonly isEnabled?: boolean
  /** With the control or command key instead of without. */
  readonly withControl?: boolean
}

/** Runs commands for keys wherever the focus is in the preview, except where the keys have another meaning. */
export function useViewKeys(commands: KeyCommands, { isEnabled = true, withControl = false }: ViewKeysOptions = {}) {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const command = Object.hasOwn(commands, key) ? commands[key] : undefined
    if (!command || event.altKey || (event.ctrlKey || event.metaKey) !== withControl) return
    if (isTakenElsewhere(event, withControl)) return
    event.preventDefault()
    command()
  })
  useEffect(() => {
    if (!isEnabled) return
    const onKeyDown = (event: KeyboardEvent) => handle(event)
    // In the capture phase, because an open tooltip stops Escape.
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [isEnabled])
}

/** Dialogs and menus over the preview, fields and the player's controls take precedence. */
function isTakenElsewhere({ target, key }: KeyboardEvent, withControl: boolean): boolean {
  if (countOpenDialogs() > 1) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[role="menu"], [role="listbox"], [data-own-keys]')) return true
  const isField = target.closest('input, textarea, select') !== null
  if (key === 'Escape' || withControl) return false
  return isField || target.closest('audio, video') !== null
}

/** Returns the inner size of an element, kept up to date. */
export function useBoxSize(ref: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return size
}
