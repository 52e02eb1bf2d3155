import { expect, test } from 'vitest'
import { resetPassword } from './accounts.ts'
import { findLinkPasswordProblem, findResetPasswordProblem, isEmail } from './credentials.ts'
import { email } from './fields.ts'
import { MAX_PASSWORD_LENGTH } from './limits.ts'
import { updatePublicLink } from './sharing.ts'

test.each([
  'ann@example.com',
  ' Ann@Example.COM ',
  'a@b.info',
  'ann@example',
  'ann@example.museum',
  '',
  `${'a'.repeat(300)}@b.de`,
])('the form and the call agree on the email address %j', (address) => {
  expect(isEmail(address)).toBe(email.safeParse(address).success)
})

test.each(['Right-horse7', 'Right@horse7', 'right@horse7', '', `Aa1@${'a'.repeat(MAX_PASSWORD_LENGTH)}`])(
  'the form and the call report the same problem of the password %j for a reset',
  (password) => {
    const { error } = resetPassword.input.shape.newPassword.safeParse(password)
    expect(findResetPasswordProblem(password)).toBe(error?.issues[0]?.message)
  },
)

test.each(['x', '', 'x'.repeat(MAX_PASSWORD_LENGTH), 'x'.repeat(MAX_PASSWORD_LENGTH + 1)])(
  'the form and the call report the same problem of the password %j of a public link',
  (password) => {
    const { error } = updatePublicLink.input.shape.password.safeParse(password)
    expect(findLinkPasswordProblem(password)).toBe(error?.issues[0]?.message)
  },
)
