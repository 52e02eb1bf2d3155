// `npm run setup`: installs the packages, and nothing else. Must run on the system's Node (20 or newer).
import { ensureInstalled } from './prepare.mjs'

try {
  await ensureInstalled()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
