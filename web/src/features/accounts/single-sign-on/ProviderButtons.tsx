import type { SignInProvider } from '@alcove/contract/single-sign-on'
import { Anchor, Divider, Stack, Text } from '@mantine/core'
import { IconLogin2 } from '@tabler/icons-react'
import { useAction } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { failureText } from '../failure-text.ts'
import { goToProvider } from './go-to-provider.ts'

interface ProviderButtonsProps {
  readonly providers: readonly SignInProvider[]
  /** Whether there is no other way to sign in above. */
  readonly isAlone?: boolean
  /** Whether the visitor wants an account, which the first sign-in creates. */
  readonly isRegistering?: boolean
}

/** The buttons that lead to the providers. */
export function ProviderButtons({ providers, isAlone = false, isRegistering = false }: ProviderButtonsProps) {
  const leave = useAction((name: string) => goToProvider(name, 'sign in'))
  return (
    <Stack gap={10}>
      {!isAlone && <Divider label="or" />}
      {providers.map(({ name, label }) => (
        <BusyButton
          key={name}
          variant="default"
          size={isAlone ? 'lg' : 'md'}
          fullWidth
          leftSection={<IconLogin2 size={20} stroke={1.75} />}
          loading={leave.isPending && leave.variables === name}
          disabled={leave.isPending && leave.variables !== name}
          onClick={() => leave.mutate(name)}
        >
          Continue with {label}
        </BusyButton>
      ))}
      {isRegistering && (
        <Text size="sm">
          By continuing, you agree to the{' '}
          <Anchor href="/terms-of-service" target="_blank" rel="noopener" underline="always" inherit>
            Terms of Service
          </Anchor>{' '}
          and the{' '}
          <Anchor href="/privacy-policy" target="_blank" rel="noopener" underline="always" inherit>
            Privacy Policy
          </Anchor>
          .
        </Text>
      )}
      {leave.isError && (
        <Notice tone="error" text={failureText(leave.error, 'Couldn’t start the sign-in. Try again.')} />
      )}
    </Stack>
  )
}
