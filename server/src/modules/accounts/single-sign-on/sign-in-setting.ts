import { configuredProvider } from '@alcove/contract/single-sign-on'
import { z } from 'zod'
import { defineSetting } from '../../site/index.ts'

const storedProvider = configuredProvider.omit({ clientSecret: true }).extend({
  /** Encrypted for the provider of this name. */
  sealedSecret: z.string().nullable(),
})
/** A provider that an administrator has added. */
export type StoredProvider = z.infer<typeof storedProvider>

/** How people sign in, besides the providers of the environment. */
export const signInSetting = defineSetting({
  name: 'sign-in',
  schema: z.object({
    hasPasswords: z.boolean(),
    straightTo: z.string().nullable(),
    order: z.array(z.string()),
    providers: z.array(storedProvider),
  }),
  initial: ({ passwordSignIn, signInStraightTo }) => ({
    hasPasswords: passwordSignIn,
    straightTo: signInStraightTo ?? null,
    order: [],
    providers: [],
  }),
})
