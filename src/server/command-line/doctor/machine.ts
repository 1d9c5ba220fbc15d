import { existsSync, readFileSync, statSync } from 'node:fs'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { formatSize } from '../../../i18n/file-size.ts'
import { DISK_NEARLY_FULL_BYTES } from '../../../rules/upkeep.ts'
import type { Config } from '../../config/config.ts'
import { codeOf } from '../../database/start-error.ts'
import { isPrivate, secretFile, secretIfThere } from '../../http/secret.ts'
import { currentBuild, isThere } from '../../publishing/publishing.ts'
import { moment } from '../print.ts'
import { type Finding, reasonOf, sound, wrong } from './finding.ts'

const PACKAGE = new URL('../../../../package.json', import.meta.url)

export const NOT_BUILT = 'not built yet'

export function dayOfBuild(): Date | null {
  const build = currentBuild()
  return isThere(build) ? statSync(build.serverDirectory).mtime : null
}

/** The version of these sources. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version
}

export function examineBuild(): Finding {
  const builtAt = dayOfBuild()
  const version = `Karras ${ownVersion()} on Node.js ${process.versions.node}`
  return builtAt
    ? sound('build', `${version}, built on ${moment(builtAt)}`)
    : wrong('build', `${version}, ${NOT_BUILT}`, 'run npm run build, or let the next start do it')
}

/** The directories into which the shop writes. */
export async function examineDisk({
  dataDir,
  files,
  smtpUrl,
}: Pick<Config, 'dataDir' | 'files' | 'smtpUrl'>): Promise<readonly Finding[]> {
  const inside = [
    files.kind === 'directory' ? files.path : null,
    smtpUrl === null ? join(dataDir, 'outbox') : null,
  ].filter((path) => path !== null && existsSync(path)) as string[]
  return await Promise.all([dataDir, ...inside].map(examineDirectory))
}

const FULL = 'free some space (old backups, DATA_DIR/outbox), or use a larger disk'

async function examineDirectory(path: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(path)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const found = `${path} has ${formatSize('en', bavail * bsize)} left`
    return bavail * bsize < DISK_NEARLY_FULL_BYTES
      ? wrong('disk', found, FULL)
      : sound('disk', found)
  } catch (error) {
    const found = `${path} cannot be used (${codeOf(error) ?? reasonOf(error)})`
    return wrong(
      'disk',
      found,
      'run this as the user that the shop runs as, or give it to that user',
    )
  }
}

/** A random text of 32 characters has more different ones, even if it is hexadecimal. */
const DIFFERENT_LEAST = 8

/** The key that signs tokens, and what was found of it. */
export async function examineSecret(
  config: Pick<Config, 'jwtSecret' | 'dataDir'>,
): Promise<{ secret: Uint8Array | null; findings: readonly Finding[] }> {
  const { jwtSecret, dataDir } = config
  const path = secretFile(dataDir)
  const secret = await secretIfThere(config).catch((error) => error as Error)
  if (secret instanceof Error) {
    return { secret: null, findings: [wrong('secret', reasonOf(secret), 'do as it says')] }
  }
  return { secret, findings: [await findingOf()] }

  async function findingOf(): Promise<Finding> {
    if (jwtSecret !== null) {
      const different = new Set(jwtSecret).size
      const found = `JWT_SECRET has ${jwtSecret.length} characters, ${different} different ones`
      return different < DIFFERENT_LEAST
        ? wrong('secret', found, 'set a random one (openssl rand -hex 32); everybody logs in again')
        : sound('secret', found)
    }
    if (secret === null) return sound('secret', `none yet: the first start makes ${path}`)
    if (!(await isPrivate(path))) {
      return wrong(
        'secret',
        `other users of this machine may read ${path}`,
        `run chmod 600 ${path}`,
      )
    }
    const isOwners = (await stat(path)).uid === (await stat(dataDir)).uid
    return isOwners
      ? sound('secret', `${path} is random, and its owner alone may read it`)
      : wrong(
          'secret',
          `${path} does not belong to the owner of ${dataDir}`,
          'give it to that user',
        )
  }
}
