import { Button, PasswordInput } from '@mantine/core'
import { IconAlertTriangle, IconFileText, IconShieldCheck } from '@tabler/icons-react'
import { useId } from 'react'
import { LockedNiche } from '../../ui/art/niches.tsx'
import { setPassphrase, usePassphrase } from './passphrase/passphrase.ts'
import { usePassphraseCheck } from './passphrase/use-passphrase-check.ts'
import { showRecoverySheet } from './recovery/show-recovery-sheet.ts'
import styles from './VaultBanner.module.css'

/** Where the passphrase of the whole vault is entered, and what there is to know about it. */
export function VaultBanner() {
  const passphrase = usePassphrase()
  const advice = useId()
  const judgement = usePassphraseCheck()
  const unopened = judgement?.kind === 'unknown' ? judgement.file.name : undefined
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
            // Password managers offer what opens the account, which is another secret.
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
              This passphrase does not open <bdi>{unopened}</bdi>. Is it the one you meant?
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
