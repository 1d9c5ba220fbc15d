import { distance } from 'fastest-levenshtein'
import type { ConfigError, Environment } from '../../config/config.ts'
import { SETTINGS } from '../../config/settings.ts'
import { type Finding, sound, wrong } from './finding.ts'

const NAMES = Object.keys(SETTINGS)

/** All that is wrong with the settings, and variables whose names look like misspelt ones. */
export function examineNames(
  env: Environment,
  problems: readonly ConfigError[],
): readonly Finding[] {
  const set = Object.keys(env).filter((name) => env[name]?.trim())
  const misspelt = set.flatMap((name) => {
    const meant = NAMES.includes(name) ? undefined : nearest(name)
    if (meant === undefined) return []
    const found = `${name} is set, which is no setting`
    return [wrong('settings', found, `call it ${meant} if that is meant, or remove it`)]
  })
  const refused = problems.map(({ message }) =>
    wrong('settings', message.replace(/\.$/, ''), 'correct it; the shop does not start with it'),
  )
  const findings = [...refused, ...misspelt]
  if (findings.length > 0) return findings
  const count = set.filter((name) => NAMES.includes(name)).length
  return [sound('settings', `${count} of ${NAMES.length} are set, the others have their defaults`)]
}

/** The setting that a name probably means: a slip in a short one, up to three in a long one. */
function nearest(name: string): string | undefined {
  const [best] = NAMES.map((setting) => ({
    setting,
    slips: distance(setting, name.toUpperCase()),
  })).sort((one, other) => one.slips - other.slips)
  return best && best.slips <= 1 + Math.floor(best.setting.length / 7) ? best.setting : undefined
}
