import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const DIRECTORY = fileURLToPath(new URL('../../node_modules/.cache/karras', import.meta.url))

/**
 * Reuses the code that an earlier process compiled, which saves a start half of its processor time.
 * It stays usable when the directory of the shop is moved: an update tries the new version in one
 * place and starts it in another.
 */
export function keepCompiledCode(): void {
  enableCompileCache({ directory: DIRECTORY, portable: true })
}
