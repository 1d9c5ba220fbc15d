import { expect } from 'vitest'
import * as transfers from '../../../src/contract/office-transfers.ts'
import { initiateRecharge } from '../../../src/contract/wallet.ts'
import type { TestApp } from '../app.ts'
import type { Person } from '../factories.ts'

// Pending transfers, and the decisions of administrators on them.

let keys = 0

export const key = () => `key ${keys++}`

/**
 * Expects one attempt to succeed, and the others to be refused with the name of the first
 * administrator, Leïla or Karim.
 */
export async function expectOneSucceeds(attempts: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(attempts)
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  )
  expect(outcomes.length - refused.length).toBe(1)
  for (const reason of refused) {
    expect(reason).toMatchObject({
      status: 409,
      code: 'done_before',
      body: { done: { by: expect.stringMatching(/^(Leïla Mansour|Karim Jaziri)$/) } },
    })
  }
}

/** A pending top-up by D17. */
export async function aTransfer(app: TestApp, buyer: Person, amount = 30) {
  const { paymentRef } = await app.call(initiateRecharge, {
    as: buyer,
    key: key(),
    body: { userId: buyer.id, amount, paymentMethod: 'D17' },
  })
  return paymentRef
}

export const decide = (
  app: TestApp,
  by: Person,
  paymentRef: string,
  call:
    | typeof transfers.confirmTransfer
    | typeof transfers.refuseTransfer = transfers.confirmTransfer,
  seen: 'pending' | 'refused' = 'pending',
  by_key = key(),
) => {
  const input = { as: by, key: by_key, params: { paymentRef } }
  return call === transfers.confirmTransfer
    ? app.call(transfers.confirmTransfer, { ...input, body: { seen, reason: 'on the list' } })
    : app.call(transfers.refuseTransfer, { ...input, body: { seen } })
}
