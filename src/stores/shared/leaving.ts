import type { Deletion } from '../../contract/leaving.ts'
import type { Millimes } from '../../rules/money.ts'
import { isRib } from '../../rules/rib.ts'
import { saveFile } from './browser.ts'
import { createForm, type Mistakes, type Sent } from './form.ts'
import { type Problem, problemOf } from './problem.ts'

/** The calls about an account's data and its deletion: one's own, or another's for administrators. */
interface LeavingCalls {
  pack: () => Promise<unknown>
  fetchFile: () => Promise<unknown>
  remove: (
    form: Money & { password: string; code: string | null; reason: string },
  ) => Promise<unknown>
  keep: () => Promise<unknown>
  /** Shows the account as it is by now. */
  refresh: () => unknown
}

/** What becomes of the money in the wallet. */
type Money = Pick<Deletion, 'account' | 'givesUpMoney'>

/** What shows that the owner asks: the password, and a code where a second factor is on. */
export type Proof = 'password' | 'code'

export const proofOf = ({ hasSecondFactor }: { hasSecondFactor: boolean }): readonly Proof[] =>
  hasSecondFactor ? ['password', 'code'] : ['password']

const FIELDS = ['money', 'holder', 'rib', 'reason', 'password', 'code'] as const
type LeavingField = (typeof FIELDS)[number]
type LeavingMistake = 'required' | 'rib'

/** The form that asks for a deletion; people without money in the wallet are not asked about it. */
export const leavingForm = (balance: Millimes | null, proof: readonly Proof[]) =>
  createForm<LeavingField, LeavingMistake>(FIELDS, ({ money, holder, rib, reason, ...proofs }) => {
    const mistakes: { [Field in LeavingField]?: LeavingMistake } = {}
    for (const each of proof) if (proofs[each] === '') mistakes[each] = 'required'
    if (balance && money === '') mistakes.money = 'required'
    if (balance && money === 'return' && holder.trim() === '') mistakes.holder = 'required'
    if (balance && money === 'return' && !isRib(rib)) mistakes.rib = 'rib'
    // Without a proof, an administrator says it for the owner.
    const isSaid = proof.length === 0 && balance && money === 'give-up'
    if (isSaid && reason.trim() === '') mistakes.reason = 'required'
    return mistakes
  })

export function createLeaving({ pack, fetchFile, remove, keep, refresh }: LeavingCalls) {
  /** Makes a change, then shows the account as it is; returns why it could not be made, or null. */
  async function change(make: () => Promise<unknown>): Promise<Problem | null> {
    try {
      await make()
      await refresh()
      return null
    } catch (error) {
      return problemOf(error)
    }
  }
  return {
    change,
    pack: () => change(pack),
    keep: () => change(keep),
    refresh,
    async download(): Promise<Problem | null> {
      try {
        saveFile((await fetchFile()) as Blob, 'my-data.zip')
        return null
      } catch (error) {
        return problemOf(error)
      }
    },
    async remove(
      values: Readonly<Record<LeavingField, string>>,
    ): Promise<Sent<LeavingField, LeavingMistake, Problem>> {
      const { password, code, money, holder, rib, reason } = values
      const account = money === 'return' ? { holder, rib } : null
      const problem = await change(() =>
        remove({
          password,
          code: code || null,
          account,
          givesUpMoney: money === 'give-up',
          reason,
        }),
      )
      if (!problem) return 'done'
      const mistakes: Mistakes<LeavingField, LeavingMistake> =
        'account.rib' in problem.fields ? { rib: 'rib' } : {}
      return { problem, mistakes }
    },
  }
}

export type Leaving = ReturnType<typeof createLeaving>
