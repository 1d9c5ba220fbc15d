import { sql } from 'kysely'
import * as contract from '../../contract/office-desk.ts'
import { takesTopUps } from '../../rules/payment-methods.ts'
import { transfersTo } from '../../rules/site-facts.ts'
import { OPENING_STEPS, type OpeningStep } from '../../rules/upkeep.ts'
import { IS_PUBLIC } from '../catalogue/catalogue.ts'
import { backupCommandOf, realBecause } from '../config/config.ts'
import type { Deps } from '../deps.ts'
import { type Route, route } from '../http/route.ts'
import { sendGivenUpAgain } from '../mail/mail.ts'
import { readFacts } from '../site-texts/site-texts.ts'
import { latestVersions } from '../versions/versions.ts'
import type { Upkeep } from './waiting.ts'
import { readWaiting } from './waiting.ts'

export const waitingRoutes: Route[] = [
  route(contract.getWaiting, async ({ user, deps }) => {
    const { groups, upkeep } = await readWaiting(deps, user.id)
    const opening = await readOpening(deps, upkeep)
    return {
      readAt: new Date(deps.now()).toISOString(),
      // The list of what is left to do asks for a first backup already.
      groups: groups.filter(({ kind }) => kind !== 'backup' || !opening.includes(kind)),
      opening,
      backupAt: upkeep.backupAt?.toISOString() ?? null,
      ledgerAt: upkeep.ledgerAt?.toISOString() ?? null,
      restoredFrom: upkeep.restoredFrom?.toISOString() ?? null,
      officeCommand: deps.config.officeCommand,
      backupCommand: backupCommandOf(deps.config),
    }
  }),
  route(contract.sendMailsAgain, async ({ user, deps }) => ({
    sent: await sendGivenUpAgain(deps, { actor: user.actor }),
  })),
]

/**
 * What is left to do before the first sale of a real shop, in the order in which it is done; empty
 * in a private shop, where nothing is sold.
 */
async function readOpening(
  deps: Pick<Deps, 'config' | 'database' | 'gateway'>,
  { backupAt }: Pick<Upkeep, 'backupAt'>,
): Promise<OpeningStep[]> {
  const { config, database, gateway } = deps
  if (realBecause(config) === null) return []
  const { kysely } = database
  const { contact, ...accounts } = await readFacts(deps)
  const transfers = transfersTo(accounts)
  const written = await latestVersions(kysely, [
    ...(['facts brand', 'facts legal', 'facts community'] as const),
    ...(['page terms', 'page privacy', 'page team'] as const),
  ])
  const { rows } = await sql<{ isThere: boolean }>`
    SELECT EXISTS (SELECT FROM documents WHERE ${IS_PUBLIC.documents}) AS is_there`.execute(kysely)
  const left: Readonly<Record<OpeningStep, boolean>> = {
    name: !written.has('facts brand'),
    contact: contact.phones.length === 0 && contact.email === '',
    account: transfers.length === 0 && gateway === null,
    topUps: transfers.length > 0 && !takesTopUps({ takesCards: gateway !== null, transfers }),
    legal: !written.has('facts legal'),
    mail: config.smtpUrl === null,
    pages: !(written.has('page terms') && written.has('page privacy')),
    team: !written.has('page team'),
    community: !written.has('facts community'),
    document: !rows[0]?.isThere,
    backup: backupAt === null,
  }
  return OPENING_STEPS.filter((step) => left[step])
}
