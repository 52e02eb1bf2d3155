import { Button, PasswordInput } from '@mantine/core'
import { IconAlertTriangle, IconFileText, IconShieldCheck } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { useStore } from '../../lib/store.ts'
import { LockedNiche } from '../../ui/art/niches.tsx'
import { checkPassphrase, confirmedPassphrase, type PassphraseCheck } from './passphrase/check-passphrase.ts'
import { setPassphrase, usePassphrase } from './passphrase/passphrase.ts'
import { showRecoverySheet } from './show-recovery-sheet.ts'
import styles from './VaultBanner.module.css'

/** The field for the passphrase of the vault, with a warning if it doesn't open the files, and advice. */
export function VaultBanner() {
  const passphrase = usePassphrase()
  const advice = useId()
  const check = usePassphraseCheck()
  const isConfirmed = useStore(confirmedPassphrase) === passphrase
  const unopened = check?.kind === 'unknown' && !isConfirmed ? check.file.name : undefined
  return (
    <section className={styles.banner} aria-label="Passphrase">
      <div className={styles.text}>
        <div className={styles.line}>
          <PasswordInput
            className={styles.field}
            classNames={{ label: styles.label }}
            label="Master Passphrase"
            visibilityToggleButtonProps={{ 'aria-label': 'Show passphrase' }}
            aria-describedby={advice}
            autoComplete="off"
            spellCheck={false}
            data-master-passphrase
            // Password managers would offer the password of the account, which is another secret.
            data-1p-ignore
            data-lpignore="true"
            value={passphrase}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
          />
          <p className={styles.promise}>
            <IconShieldCheck className={styles.shield} size={20} stroke={1.75} aria-hidden />
            It never leaves this browser
          </p>
        </div>
        <p className={styles.unopened} role="status">
          {unopened && (
            <>
              This passphrase does not open <bdi>{unopened}</bdi>. Check that you typed the right one.
            </>
          )}
        </p>
        <div className={styles.line}>
          <p className={styles.advice} id={advice}>
            <IconAlertTriangle className={styles.sign} size={20} stroke={1.75} aria-hidden />
            Use one secure passphrase for the whole vault and keep it safe. We cannot recover it for you.
          </p>
          <Button
            className={styles.sheet}
            variant="subtle"
            size="xs"
            leftSection={<IconFileText size={18} stroke={1.75} />}
            onClick={showRecoverySheet}
          >
            Recovery sheet
          </Button>
        </div>
      </div>
      <LockedNiche className={styles.art} />
    </section>
  )
}

/** The pause in typing before a passphrase is checked, in milliseconds. */
const PAUSE = 800

/** Checks the passphrase in the field against the vault. Returns undefined until the result is known. */
function usePassphraseCheck(): PassphraseCheck | undefined {
  const passphrase = usePassphrase()
  const [result, setResult] = useState<{ readonly passphrase: string; readonly check: PassphraseCheck }>()

  useEffect(() => {
    if (passphrase === '') return
    const controller = new AbortController()
    const { signal } = controller
    const run = async () => {
      const check = await checkPassphrase(passphrase, signal)
      if (!signal.aborted) setResult({ passphrase, check })
    }
    const timer = setTimeout(() => void run().catch(() => undefined), PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [passphrase])

  return result?.passphrase === passphrase ? result.check : undefined
}
