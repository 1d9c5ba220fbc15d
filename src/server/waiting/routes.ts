import * as contract from '../../contract/office-desk.ts'
import { type Route, route } from '../http/route.ts'
import { sendGivenUpAgain } from '../mail/mail.ts'
import { readOpening } from './opening.ts'
import { readWaiting } from './read-waiting.ts'

/** The call behind the first page of the administrators' office. */
export const waitingRoutes: Route[] = [
  route(contract.getWaiting, async ({ user, deps }) => {
    const { groups, upkeep } = await readWaiting(deps, user.id)
    return {
      readAt: new Date(deps.now()).toISOString(),
      groups,
      opening: await readOpening(deps, upkeep),
      backupAt: upkeep.backupAt?.toISOString() ?? null,
      ledgerAt: upkeep.ledgerAt?.toISOString() ?? null,
      restoredFrom: upkeep.restoredFrom?.toISOString() ?? null,
      officeCommand: deps.config.officeCommand,
    }
  }),
  route(contract.sendMailsAgain, async ({ user, deps }) => ({
    sent: await sendGivenUpAgain(deps, { actor: user.actor }),
  })),
]
