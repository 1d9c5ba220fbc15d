import { referenceStart } from '../../rules/payment-reference.ts'
import type { Deps } from '../deps.ts'
import { notA, refusal } from './command.ts'

/** The full reference of the payment whose full or shortened reference was typed. */
export async function wholeReference({ database }: Deps, typed: string): Promise<string> {
  const start = referenceStart(typed)
  if (!start) {
    throw notA('reference', typed, 'KR-1A2B-3C4D')
  }
  const found = await database.kysely
    .selectFrom('payments')
    .select('reference')
    .where('reference', 'like', `${start}%`)
    .limit(2)
    .execute()
  const [only, another] = found
  if (!only) throw refusal(`There is no payment ${typed}.`)
  if (!another) return only.reference
  throw refusal(
    `Several payments begin with ${typed}: give the whole reference, which transfers --json shows.`,
  )
}
