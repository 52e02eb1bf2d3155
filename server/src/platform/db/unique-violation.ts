/** Whether an error of the database says that a unique index refused a row. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // PostgreSQL's class 23505; SQLite's extended codes for a unique index and for a primary key.
  if ('code' in error && error.code === '23505') return true
  return 'errcode' in error && (error.errcode === 2067 || error.errcode === 1555)
}
