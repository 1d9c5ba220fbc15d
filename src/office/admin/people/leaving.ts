import * as ownAccount from '../../../contract/own-account.ts'
import type { Millimes } from '../../../rules/money.ts'
import { randomId } from '../../../stores/shared/browser.ts'
import { createLeaving } from '../../../stores/shared/leaving.ts'
import { ask, orReload } from '../../kit/backend.ts'
import { refreshPerson } from './people.ts'

/**
 * The idempotency key of an input: one that is sent again after a lost answer is done once, and a
 * changed one is another.
 */
function keyOfInput() {
  let last = { input: '', key: '' }
  return {
    of(given: unknown): string {
      const input = JSON.stringify(given)
      if (input !== last.input) last = { input, key: randomId() }
      return last.key
    },
    /** Once it was done, the same input is another deed. */
    done() {
      last = { input: '', key: '' }
    },
  }
}

/**
 * The calls by which an administrator deletes or exports the account of a person at the counter.
 * `onWaits` hears whether the deletion waits for a second administrator.
 */
export function leavingOf(id: number, onWaits: (waits: boolean) => void) {
  const params = { id }
  const key = keyOfInput()
  return createLeaving({
    pack: () => ask(ownAccount.askForExportOf, { params }),
    fetchFile: () => ask(ownAccount.downloadExportOf, { params }),
    remove: async ({ account, givesUpMoney, reason: typed }) => {
      const reason = typed.trim()
      const body = { account, givesUpMoney, ...(reason !== '' && { reason }) }
      const { waits } = await ask(
        ownAccount.askForDeletionOf,
        { params, body },
        { idempotencyKey: key.of(body) },
      )
      key.done()
      onWaits(waits !== null)
    },
    keep: () => ask(ownAccount.keepAccountOf, { params }),
    refresh: refreshPerson,
  })
}

const returning = keyOfInput()

/**
 * Records the bank transfer of a wallet's money to its owner; whether that waits for a second person.
 * Throws an `ApiError`.
 */
export async function returnMoney(
  id: number,
  body: { seen: Millimes; reference: string; transferredOn: string; reason: string },
): Promise<boolean> {
  const idempotencyKey = returning.of({ id, ...body })
  const { waits } = await orReload(
    ask(ownAccount.returnMoney, { params: { id }, body }, { idempotencyKey }),
    refreshPerson,
  )
  returning.done()
  refreshPerson()
  return waits !== null
}
