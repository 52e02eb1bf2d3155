import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { contractCalls } from './contract-calls.ts'

const root = import.meta.dirname
const NAME = 'first-look.js'

/**
 * Builds the script that draws the first screen before the program is loaded. It is built separately, as a single file,
 * so that it doesn't wait for chunks that it would share with the program.
 */
export function firstLookScript(): Plugin {
  return {
    name: 'first-look-script',
    apply: 'build',
    async generateBundle() {
      const built = (await build({
        root,
        configFile: false,
        logLevel: 'error',
        publicDir: false,
        plugins: [contractCalls()],
        build: {
          write: false,
          rolldownOptions: { input: join(root, 'src/first-look/first-look.ts'), output: { format: 'iife' } },
        },
      })) as Rolldown.RolldownOutput
      const [script] = built.output
      this.emitFile({ type: 'asset', name: NAME, source: script.code })
    },
  }
}

/** The address of that script, without its leading slash. */
export function findFirstLookScript(bundle: Rolldown.OutputBundle): string {
  const found = Object.values(bundle).find((output) => output.type === 'asset' && output.names.includes(NAME))
  if (!found) throw new Error(`The build has no ${NAME}.`)
  return found.fileName
}
